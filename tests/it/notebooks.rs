//! Submissions that are notebooks: cells of Python, graded as one module.

use crate::required::{self, needs};
use crate::running::{folder, keur_command, run};
use serde_json::{Value, json};
use std::fs;

const EXERCISE: &str = "title = \"Lists\"\nsession = \"python\"\nlang = \"en\"\n[files]\npython = [\"lists.py\"]\n\
                        [function]\ndouble = [\"x\"]\ntotal = [\"xs\"]\n";
const DOUBLE: &str = "title = \"Double\"\n[[step]]\ndo = \"double(2)\"\nreturns = 4\n";
const TOTAL: &str = "title = \"Total\"\n[[step]]\ndo = \"total([1, 2])\"\nreturns = 3\n";

/// The report of a notebook with these cells of code, and the exit code.
fn grade(cells: &[&str], options: &[&str]) -> (i32, Value) {
    let cells: Vec<Value> = cells
        .iter()
        .map(|text| json!({ "cell_type": "code", "source": text.split_inclusive('\n').collect::<Vec<_>>(), "outputs": [] }))
        .collect();
    grade_text(&json!({ "cells": cells, "nbformat": 4 }).to_string(), options)
}

fn grade_text(notebook: &str, options: &[&str]) -> (i32, Value) {
    let packages = if options.is_empty() { "" } else { "[packages]\npython = [\"numpy\", \"matplotlib\"]\n" };
    let exercise = format!("{EXERCISE}{packages}");
    let files = [
        ("lists/exercise.toml", &*exercise),
        ("lists/double.toml", DOUBLE),
        ("lists/total.toml", TOTAL),
        ("week 1 (copy).ipynb", notebook),
    ];
    let folder = folder(&files);
    let args = ["grade", "week 1 (copy).ipynb", "--cases", "lists", "--format", "json"];
    let run = run(keur_command(&args).args(options).current_dir(folder.path()));
    (run.code, run.json()["submissions"][0].take())
}

const RIGHT: [&str; 3] = [
    "def double(x):\n    return 2 * x",
    "double(3)",
    "def total(xs):\n    print('adding')\n    return sum(xs)",
];

#[test]
fn a_notebook_is_one_module_of_its_cells() {
    let (code, report) = grade(&RIGHT, &[]);
    assert_eq!((code, &report["language"]), (0, &json!("python")), "{report:#}");
    // Cells in another order, and copied ones.
    let (code, report) = grade(&[RIGHT[2], RIGHT[0], RIGHT[0]], &[]);
    assert_eq!(code, 0, "{report:#}");
}

#[test]
fn pictures_and_tables_that_a_notebook_shows_go_nowhere() {
    let shows = "from IPython.display import display, HTML\nimport math\nget_ipython().ast_node_interactivity = 'all'\nfiles = !ls";
    let double = "def double(x):\n    display(x, raw=True)\n    return 2 * math.floor(x)\ndisplay(double(2))";
    let (code, report) = grade(&[shows, double, RIGHT[2]], &[]);
    assert_eq!(code, 0, "{report:#}");
}

#[test]
fn a_finding_names_the_cell_and_its_line() {
    let wrong = "# adds\ndef total(xs):\n    return xs[9]";
    let (code, report) = grade(&["%matplotlib inline\nimport math", RIGHT[0], wrong], &[]);
    assert_eq!(code, 1, "{report:#}");
    let case = &report["cases"][1];
    let place = &case["finding"]["exception"]["places"][0];
    assert_eq!((&place["cell"], &place["line"]), (&json!(3), &json!(3)), "{case:#}");
    assert_eq!(place["source"], "    return xs[9]");
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("lines that only Jupyter understands"), "{warnings}");
}

#[test]
fn a_cell_that_raises_loses_only_what_needs_it() {
    for broken in ["1 / 0", "def f(:", "!ls\nundefined_name"] {
        let (code, report) = grade(&[RIGHT[0], broken, RIGHT[2]], &[]);
        assert_eq!((code, &report["passed"]), (0, &json!(true)), "{broken}: {report:#}");
        assert!(report["warnings"].to_string().contains("\"cell\":2"), "{broken}: {report:#}");
    }
    let (code, report) = grade(&[RIGHT[0], "1 / 0\ndef total(xs): return sum(xs)"], &[]);
    assert_eq!((code, &report["cases"][0]["verdict"]), (1, &json!("passed")), "{report:#}");
}

#[test]
fn what_looks_like_magic_or_a_mark_in_a_statement_is_python() {
    let odd = "text = \"\"\"\n# keur: cell 99\n!rm\n%time\n\"\"\"\ntwo = 2\none = (5\n    %two)";
    let total = "def total(xs):\n    assert (text, one) == ('\\n# keur: cell 99\\n!rm\\n%time\\n', 1)\n    return sum(xs)";
    let (code, report) = grade(&[RIGHT[0], odd, total], &[]);
    assert_eq!((code, report["warnings"].as_array().map_or(0, Vec::len)), (0, 0), "{report:#}");
    // The number of the cell is not that of its own text.
    let (code, report) =
        grade(&[RIGHT[0], "# keur: cell 99\r\n# keur: cell 98\rdef total(xs):\r    return xs[9]"], &[]);
    assert_eq!(code, 1, "{report:#}");
    let (code, report) = grade(&[RIGHT[0], "# keur: cell 99\n\rdef total(xs):\r    return xs[9]"], &[]);
    let place = &report["cases"][1]["finding"]["exception"]["places"][0];
    assert_eq!((code, &place["cell"], &place["line"]), (1, &json!(2), &json!(4)), "{report:#}");
}

#[test]
fn no_line_of_a_notebook_file_is_named() {
    let notebook =
        json!({ "cells": [{ "cell_type": "code", "source": "def double(x): 1 / 0\ndef total(xs): pass" }] });
    let files = [
        ("lists/exercise.toml", EXERCISE),
        ("lists/double.toml", DOUBLE),
        ("lists/total.toml", TOTAL),
        ("hw.ipynb", &*notebook.to_string()),
    ];
    let folder = folder(&files);
    let reported = |format: &str| {
        let args = ["grade", "hw.ipynb", "--cases", "lists", "--format", format];
        run(keur_command(&args).current_dir(folder.path())).out
    };
    let annotations = reported("github");
    assert_eq!(annotations.matches("::error file=hw.ipynb,title=").count(), 2, "{annotations}");
    assert!(annotations.contains("cell 1, line 1"), "{annotations}");
    let results: Value = serde_json::from_str(&reported("sarif")).unwrap();
    for result in results["runs"][0]["results"].as_array().unwrap() {
        assert_eq!(
            result["locations"][0]["physicalLocation"]["region"],
            json!({ "startLine": 1 }),
            "{result:#}"
        );
    }
}

#[test]
fn a_file_that_is_no_notebook_is_a_problem_of_the_submission() {
    for text in ["", "{", "{\"cells\": 3}"] {
        let (code, report) = grade_text(text, &[]);
        assert_eq!(code, 1, "{text}: {report:#}");
        assert!(report.to_string().contains("not a notebook that can be read"), "{text}: {report:#}");
    }
    let (code, report) = grade_text("{\"cells\": []}", &[]);
    assert_eq!(code, 1, "{report:#}");
}

#[test]
fn a_notebook_may_use_the_packages_of_the_exercise() {
    needs!(External);
    let python = required::external().join("bin/python");
    assert!(fs::exists(&python).unwrap());
    let total = "import numpy as np\nfrom matplotlib import pyplot\ndef total(xs):\n    pyplot.plot(xs)\n    \
                 pyplot.show()\n    return np.array(xs).sum()";
    for tier in ["standard", "portable"] {
        let options = ["--python", python.to_str().unwrap(), "--confine", tier];
        let (code, report) = grade(&[RIGHT[0], total], &options);
        assert_eq!(code, 0, "{report:#}");
    }
}
