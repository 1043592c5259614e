//! The page about classes works as it is written, and describes the whole database.

use crate::running::assert_says;
use rusqlite::Connection;
use std::fs;

const PAGE: &str = include_str!("../../docs/class.md");

/// The heading of the second half of the page, which is not walked through.
const REFERENCE: &str = "\n# Reference\n";

#[test]
fn each_step_and_each_query_of_the_page_about_classes_works() {
    let place = tempfile::tempdir().unwrap();
    let (tutorial, reference) = PAGE.split_once(REFERENCE).unwrap();
    crate::walk::walk(tutorial, place.path(), 45);
    let page = fs::read_to_string(place.path().join("pages/index.html")).unwrap();
    assert_says(&page, "Temperatures");
    let db = Connection::open(place.path().join("lab/class.db")).unwrap();
    let queries: Vec<&str> =
        reference.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(queries.len(), 5);
    let answers = queries.iter().map(|query| {
        let mut query = db.prepare(query).unwrap();
        let columns = query.column_count();
        let rows = query.query_map((), |row| {
            let cells = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
            Ok(format!("{:?}", cells.collect::<Result<Vec<_>, _>>()?))
        });
        rows.unwrap().collect::<Result<Vec<_>, _>>().unwrap().join("\n")
    });
    let wanted = [
        "Text(\"hottest\"), Integer(4), Integer(1)",
        "Real(4.0)",
        "An De Smet, Cem Yılmaz",
        "Emma Claes",
        "Integer(",
    ];
    for ((query, answer), wanted) in queries.iter().zip(answers).zip(wanted) {
        assert!(answer.contains(wanted), "{query}\n{answer}");
    }
}

#[test]
fn each_table_and_column_is_in_the_page() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(include_str!("../../src/class/store/schema.sql")).unwrap();
    let mut columns = db
        .prepare("SELECT one.name, two.name FROM sqlite_schema AS one JOIN pragma_table_info(one.name) AS two WHERE one.type = 'table'")
        .unwrap();
    let columns = columns.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let columns: Vec<(String, String)> = columns.collect::<Result<_, _>>().unwrap();
    assert!(columns.len() > 40, "{columns:?}");
    for (table, column) in columns {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{table}` |")));
        let row = row.unwrap_or_else(|| panic!("no row about the table {table}"));
        assert!(row.contains(&format!("`{column}`")), "the row about {table} does not have {column}");
    }
}
