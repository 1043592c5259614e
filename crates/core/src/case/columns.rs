//! A table in CSV as its columns.

use crate::value::{Int, Value};
use csv::ReaderBuilder;

/// The columns of a table in CSV, by the names in its first row, as pandas' `read_csv` reads them: integers, or
/// numbers, or `True` and `False`, if all cells of a column are; otherwise texts. An empty cell is not a number.
///
/// # Errors
/// Why it is no such table.
pub(super) fn columns(bytes: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut reader = ReaderBuilder::new().from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    if let Some(twice) =
        names.iter().enumerate().find(|(at, name)| names.iter().take(*at).any(|one| one == *name))
    {
        return Err(format!("its first row has the name `{}` twice", twice.1));
    }
    let rows = reader.records().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let column = |at: usize| values(&rows.iter().filter_map(|row| row.get(at)).collect::<Vec<_>>());
    Ok(Value::Dict(names.iter().enumerate().map(|(at, name)| (Value::str(name), column(at))).collect()))
}

/// The values of a column.
fn values(cells: &[&str]) -> Value {
    let all =
        |value: fn(&str) -> Option<Value>| cells.iter().map(|cell| value(cell)).collect::<Option<Vec<_>>>();
    let whole = |cell: &str| cell.parse::<Int>().ok().map(Value::Int);
    let number = |cell: &str| match cell {
        "" => Some(Value::Float(f64::NAN)),
        _ => cell.parse().ok().map(Value::Float),
    };
    let truth = |cell: &str| match cell {
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        _ => None,
    };
    let text = |cell: &str| Some(if cell.is_empty() { Value::Float(f64::NAN) } else { Value::str(cell) });
    let read = all(whole).or_else(|| all(number)).or_else(|| all(truth)).or_else(|| all(text));
    Value::List(read.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::columns;
    use crate::languages::python;

    #[track_caller]
    fn check(table: &str, expected: &str) {
        let found = match columns(table.as_bytes()) {
            Ok(value) => python::LANGUAGE.notation.literal(&value),
            Err(error) => error,
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn a_column_has_the_type_that_all_its_cells_have() {
        check(
            "a,b,c,d\n1,1,True,x\n2,1.5,False,\n",
            "{'a': [1, 2], 'b': [1.0, 1.5], 'c': [True, False], 'd': ['x', nan]}",
        );
        check("\u{feff}a\n\"1,5\"\n\"\"\n", "{'a': ['1,5', nan]}");
        check("a,b\n3,\n4,2\n", "{'a': [3, 4], 'b': [nan, 2.0]}");
        check("a\n", "{'a': []}");
    }

    #[test]
    fn a_file_that_is_no_table_is_refused() {
        check("a,a\n1,2\n", "`a` twice");
        check("a,b\n1\n", "line: 2");
    }
}
