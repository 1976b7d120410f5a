//! A check that `docs/engine.md` and the code describe the options of players in the same way.

use engine::{OptionText, PlayerOptions};

#[test]
fn the_table_of_the_options_is_that_of_the_code() {
    let head = "| option | value | default | meaning |\n| --- | --- | --- | --- |\n";
    let text = include_str!("../../../docs/engine.md");
    let (_, rest) = text.split_once(head).expect("a table of options");
    let (table, _) = rest.split_once("\n\n").expect("an end of the table");
    let row = |option: &OptionText| {
        let OptionText { name, value, values, default, meaning } = option;
        format!("| `{name}={value}` | {values} | {default} | {meaning} |")
    };
    let expected: Vec<String> = PlayerOptions::ALL.iter().map(row).collect();
    assert_eq!(table, expected.join("\n"), "write this into docs/engine.md:\n{}", expected.join("\n"));
}
