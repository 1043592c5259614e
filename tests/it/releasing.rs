//! The scripts of the workflow that releases keur.

use crate::running::{Run, assert_says, folder, root, run, succeed, write_files};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The manifest of a keur that is published.
const MANIFEST: &str =
    "[workspace.package]\nversion = \"1.2.3\"\nrepository = \"https://github.com/an/keur\"\n";

/// The changes of two versions.
const CHANGES: &str =
    "# Changes\n\n## 1.2.3 - 2026-11-28\n\n### Added\n- A thing.\n\n## 1.2.2 - 2026-10-01\n- Another.\n";

/// What `ci/notes.sh` says to a tag, in a repository with these files.
fn notes(tag: &str, manifest: &str, changes: &str) -> Run {
    let repository = folder(&[("Cargo.toml", manifest), ("CHANGELOG.md", changes), ("ci/x", "")]);
    fs::copy(root().join("ci/notes.sh"), repository.path().join("ci/notes.sh")).unwrap();
    let mut script = Command::new("bash");
    script.arg(repository.path().join("ci/notes.sh")).arg(tag);
    script.env_remove("GITHUB_SERVER_URL").env("GITHUB_REPOSITORY", "an/keur");
    run(&mut script)
}

#[test]
fn the_notes_of_a_release_are_the_section_of_its_version() {
    for changes in [CHANGES.to_owned(), CHANGES.replace("## 1.2.3", "## [1.2.3]")] {
        let said = notes("v1.2.3", MANIFEST, &changes);
        assert_eq!((said.code, said.out.as_str()), (0, "\n### Added\n- A thing.\n"), "{}", said.err);
    }
    // The last section.
    let last = CHANGES.split("## 1.2.2").next().unwrap();
    assert_eq!(notes("v1.2.3", MANIFEST, last).out, "\n### Added\n- A thing.\n");
}

#[test]
fn links_of_the_notes_lead_to_the_files_of_the_release() {
    let links = "### Added\n- [Cases](docs/cases.md), [layout](docs/authoring.md#layout), [uv](https://docs.astral.sh/uv/).\n\n\
                 [Unreleased]: https://github.com/an/keur/compare/v1.2.3...HEAD\n\
                 [1.2.3]: https://github.com/an/keur/releases/tag/v1.2.3\n";
    let said = notes("v1.2.3", MANIFEST, &format!("# Changes\n\n## [1.2.3] - 2026-11-28\n\n{links}"));
    let at = "https://github.com/an/keur/blob/v1.2.3/docs";
    let wanted = format!(
        "\n### Added\n- [Cases]({at}/cases.md), [layout]({at}/authoring.md#layout), [uv](https://docs.astral.sh/uv/).\n"
    );
    assert_eq!((said.code, said.out), (0, wanted), "{}", said.err);
}

#[test]
fn a_tag_that_cannot_be_released_is_refused() {
    let elsewhere = MANIFEST.replace("/an/", "/bo/");
    let nowhere = MANIFEST.replace("/an/", "/-OWNER-/");
    let undated = CHANGES.replace("## 1.2.3 - 2026-11-28", "## Unreleased");
    let empty = CHANGES.replace("\n### Added\n- A thing.\n", "");
    for (tag, manifest, changes, why) in [
        ("v1.2.4", MANIFEST, CHANGES, "the tag is v1.2.4, but the version in Cargo.toml is 1.2.3"),
        ("1.2.3", MANIFEST, CHANGES, "tag v1.2.3"),
        ("v1.2.3", &nowhere, CHANGES, "Cargo.toml has no address yet"),
        ("v1.2.3", &elsewhere, CHANGES, "but Cargo.toml says https://github.com/bo/keur"),
        ("v1.2.3", MANIFEST, &undated, "CHANGELOG.md has no section '## 1.2.3 - YEAR-MONTH-DAY'"),
        ("v1.2.3", MANIFEST, &empty, "CHANGELOG.md has no section"),
    ] {
        let said = notes(tag, manifest, changes);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{tag}: {}", said.err);
        assert_says(&said.err, "::error title=release::");
        assert_says(&said.err, why);
    }
}

/// Tries a program, as the workflows do on each system.
fn smoke(program: &Path) -> Run {
    run(Command::new("bash").arg(root().join("ci/smoke.sh")).arg(program))
}

#[test]
fn a_program_is_tried_by_the_points_of_a_few_submissions() {
    let tried = smoke(Path::new(env!("CARGO_BIN_EXE_keur")));
    assert_eq!(tried.code, 0, "{}", tried.all());
    // One that always gives full points, in an archive of a release.
    let place = folder(&[("keur-1.2.3-here/keur", "#!/bin/sh\necho points=20\n")]);
    let pack = "chmod +x */keur && tar -czf keur-1.2.3-here.tar.gz keur-1.2.3-here";
    succeed(Command::new("sh").args(["-c", pack]).current_dir(place.path()));
    let tried = smoke(&place.path().join("keur-1.2.3-here.tar.gz"));
    assert_eq!(tried.code, 1, "{}", tried.all());
    assert_says(&tried.out, "points=20, and not points=18.67");
}

/// The path with the programs of this folder before all others.
fn path_with(programs: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap();
    std::env::join_paths(std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path))).unwrap()
}

#[test]
fn npm_packages_are_published_once_and_the_one_that_needs_the_others_last() {
    // An npm to which the package for Linux on arm64 is published already. It refuses what could name a repository.
    let npm = "#!/bin/sh\ncase \"$1 $2\" in\n'view keur-linux-arm64@1.2.3') echo 1.2.3 ;;\nview*) exit 1 ;;\n\
               *) [ \"${5#/}\" != \"$5\" ] && echo \"${5##*/}\" >>\"$PUBLISHED\" ;;\nesac\n";
    let place = folder(&[("bin/npm", npm), ("published", ""), ("out/npm/x", "")]);
    for name in ["keur", "keur-linux-arm64", "keur-linux-x64"] {
        let manifest = format!("{{ \"name\": \"{name}\", \"version\": \"1.2.3\" }}");
        write_files(place.path(), &[("package/package.json", &manifest)]);
        let pack = format!("chmod +x bin/npm && tar -czf out/npm/{name}-1.2.3.tgz package");
        succeed(Command::new("sh").args(["-c", &pack]).current_dir(place.path()));
    }
    let mut script = Command::new("bash");
    script.arg(root().join("ci/publish_npm.sh")).arg("out/npm").current_dir(place.path());
    script.env("PATH", path_with(&place.path().join("bin"))).env("PUBLISHED", place.path().join("published"));
    assert_says(&succeed(&mut script), "keur-linux-arm64@1.2.3 is published already");
    let published = fs::read_to_string(place.path().join("published")).unwrap();
    assert_eq!(published, "keur-linux-x64-1.2.3.tgz\nkeur-1.2.3.tgz\n");
}

#[test]
fn crates_are_published_once_and_each_after_those_that_it_needs() {
    // A cargo to whose registry the first crate is published already.
    let cargo = "#!/bin/sh\ncase \"$*\" in\n'pkgid --package '*) echo \"path+file:///an/keur#$3@1.2.3\" ;;\n\
                 'info --quiet --registry crates-io keur-sandbox@1.2.3') ;;\ninfo*) exit 101 ;;\n\
                 *) echo \"$*\" >>\"$PUBLISHED\" ;;\nesac\n";
    let place = folder(&[("bin/cargo", cargo), ("published", "")]);
    succeed(Command::new("chmod").arg("+x").arg(place.path().join("bin/cargo")));
    let mut script = Command::new("bash");
    script.arg(root().join("ci/publish_crates.sh")).env("PATH", path_with(&place.path().join("bin")));
    script.env("PUBLISHED", place.path().join("published"));
    assert_says(&succeed(&mut script), "keur-sandbox@1.2.3 is published already");
    let published = fs::read_to_string(place.path().join("published")).unwrap();
    assert_eq!(published, "publish --locked --package keur-core\npublish --locked --package keur\n");
}

#[cfg(target_os = "linux")]
#[test]
fn the_site_keeps_earlier_versions_and_lists_the_pages_of_the_newest() {
    // An mdbook that makes the folder of a version.
    let mdbook = "#!/bin/sh\nmkdir -p \"$3\" && touch \"$3/book.toml\"\n";
    let place = folder(&[("bin/mdbook", mdbook), ("keur.wasm", "\0asm")]);
    // A keur that was built without its page, and is given one.
    let module = place.path().join("keur.wasm");
    let keur =
        format!("#!/bin/sh\nexec '{}' \"$@\" --module '{}'\n", env!("CARGO_BIN_EXE_keur"), module.display());
    write_files(place.path(), &[("bin/keur", &keur)]);
    for part in ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"] {
        write_files(place.path(), &[(&format!("pyodide/{part}"), "")]);
    }
    write_files(place.path(), &[("pyodide/pyodide-lock.json", "{ \"packages\": {} }")]);
    succeed(
        Command::new("chmod")
            .arg("+x")
            .arg(place.path().join("bin/mdbook"))
            .arg(place.path().join("bin/keur")),
    );
    let this = env!("CARGO_PKG_VERSION");
    for (other, newest) in [("0.0.9", this), ("99.0.0", "99.0.0")] {
        let site = place.path().join(other);
        let page = format!("{other}/index.html");
        write_files(&site, &[(&page, "a page"), ("llms.txt", "other pages")]);
        let mut script = Command::new("bash");
        script.arg(root().join("ci/site.sh")).arg(&site).env("PATH", path_with(&place.path().join("bin")));
        succeed(script.env("PYODIDE", place.path().join("pyodide")));
        let read = |name: &str| fs::read_to_string(site.join(name)).unwrap();
        assert_eq!(read(&page), "a page");
        assert!(site.join(this).join("docs/cases.md").is_file());
        assert_says(&read("index.html"), &format!("url={newest}/"));
        let listed = read("llms.txt");
        assert_eq!(listed.contains(&format!("]({this}/docs/cases.md)")), newest == this, "{listed}");
        // The games to try are those of the newest version, and the first page begins with them.
        assert_eq!(site.join("try/index.html").is_file(), newest == this);
        if newest == this {
            let games: Value = serde_json::from_str(&read("try/exercises.json")).unwrap();
            for game in games["exercises"].as_array().unwrap() {
                let samples = game["samples"].as_array().unwrap();
                let right =
                    samples.iter().filter(|name| name.as_str().unwrap().starts_with("correct")).count();
                assert!(right > 0 && right < samples.len(), "right and wrong: {game}");
            }
        }
        let first = read(&format!("{this}/README.md"));
        let links: Vec<&str> = first.split("](").skip(1).collect();
        assert!(links[0].starts_with("../try/index.html"), "{first}");
    }
}

#[test]
fn a_site_is_pushed_once_on_top_of_the_earlier_one() {
    let place = folder(&[("clone/ci/x", ""), ("site/0.1.0/index.html", "a page")]);
    let clone = place.path().join("clone");
    fs::copy(root().join("ci/publish_site.sh"), clone.join("ci/publish_site.sh")).unwrap();
    let make = "git init --quiet --bare server && git init --quiet clone && git -C clone remote add origin ../server";
    succeed(Command::new("sh").args(["-c", make]).current_dir(place.path()));
    let publish = |message: &str| {
        let mut script = Command::new("bash");
        succeed(script.arg("clone/ci/publish_site.sh").args(["site", message]).current_dir(place.path()));
        let shown = ["-C", "server", "log", "--format=%s", "--name-only", "gh-pages"];
        let log = succeed(Command::new("git").args(shown).current_dir(place.path()));
        log.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let first = ["first", ".nojekyll", "0.1.0/index.html"];
    assert_eq!(publish("first"), first);
    assert_eq!(publish("again"), first);
    write_files(place.path(), &[("site/0.2.0/index.html", "a page")]);
    let second = ["second", "0.2.0/index.html", "first", ".nojekyll", "0.1.0/index.html"];
    assert_eq!(publish("second"), second);
}
