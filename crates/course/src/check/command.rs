//! The command line that makes a course's check on another machine.

use std::borrow::Cow;

use arena::{Draft, Spec, Words};
use process::sandbox::Limits;

use crate::config::Course;
use crate::config::sections::Uploads;

/// Returns the command line, for a shell. `FILE` stands for the file to upload. `spec` has the rules of the ladder.
///
/// The seed is left out, because the openings of the ladder depend on it.
pub(crate) fn of(course: &Course, spec: &Spec) -> String {
    let mut line = Line::default();
    line.push("--game", &spec.game);
    line.push_some("--size", spec.size);
    let time = &spec.time;
    line.push_some("--move-time", time.per_move);
    line.push_some("--game-time", time.per_game);
    let usual = arena::Times::default();
    for (option, found, usual) in [
        ("--increment", time.increment, usual.increment),
        ("--start-time", time.start, usual.start),
        ("--margin", time.margin, usual.margin),
    ] {
        line.push_some(option, Some(found).filter(|found| found.total_cmp(&usual).is_ne()));
    }
    line.push_some("--opening", Some(spec.opening).filter(|count| *count > 0));
    let by_rules = spec.rule_set().and_then(|set| set.move_limit);
    let usual = by_rules.unwrap_or_else(|| Draft::new(&spec.game).spec.move_limit);
    line.push_some("--move-limit", Some(spec.move_limit).filter(|limit| *limit != usual));
    line.push_some("--repetitions", spec.repetitions);
    line.push_some("--rules", spec.rules.as_deref());
    for (name, value) in changed(&spec.limits) {
        line.push("--limit", &format!("{name}={value}"));
    }
    let agent = &course.agent;
    line.push_some("--dialect", agent.dialect.as_deref());
    line.push_some("--command", agent.command.as_ref().map(as_text));
    line.push_some("--build", agent.build.as_deref());
    line.push_some("--build-time", agent.build_time);
    let size = course.uploads.size;
    line.push_some("--upload-size", Some(size).filter(|size| *size != Uploads::default().size));
    format!("plyhouse arena check FILE{}", line.0)
}

/// Options of a command line, each with a space before it.
#[derive(Default)]
struct Line(String);

impl Line {
    fn push(&mut self, option: &str, value: &str) {
        self.0.extend([" ", option, " ", &*quoted(value)]);
    }

    fn push_some<T: ToString>(&mut self, option: &str, value: Option<T>) {
        if let Some(value) = value {
            self.push(option, &value.to_string());
        }
    }
}

/// Returns a word for a shell. Texts with spaces only are in double quotation marks, which all systems understand.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "._/:=,+-@%".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    if word.chars().all(|c| is_plain(c) || c == ' ') {
        return Cow::Owned(format!("\"{word}\""));
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// Returns a command as the option `--command` expects it: a text, or a list in JSON if words contain spaces.
fn as_text(command: &Words) -> String {
    let words = command.words();
    let text = words.join(" ");
    if !text.starts_with('[') && text.split_whitespace().eq(words.iter().map(String::as_str)) {
        return text;
    }
    serde_json::to_string(&words).expect("invariant: texts are JSON")
}

/// Returns the limits that differ from the usual ones, with their values.
fn changed(limits: &Limits) -> Vec<(String, String)> {
    let fields = |limits: &Limits| match serde_json::to_value(limits) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => unreachable!("invariant: limits are an object"),
    };
    let usual = fields(&Limits::default());
    let found = fields(limits).into_iter().filter(|(name, value)| usual.get(name) != Some(value));
    found.map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, expected) in [
            ("ugi", "ugi"),
            ("", "\"\""),
            ("python3 agent.py", "\"python3 agent.py\""),
            ("javac *.java", "'javac *.java'"),
            ("it's $HOME", r"'it'\''s $HOME'"),
            ("-x", "\"-x\""),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn commands_keep_their_words() {
        assert_eq!(as_text(&Words::Text("  java  -cp . Agent ".to_owned())), "java -cp . Agent");
        let list = |words: &[&str]| as_text(&Words::List(words.iter().map(|&word| word.to_owned()).collect()));
        assert_eq!(list(&["python3", "agent.py"]), "python3 agent.py");
        assert_eq!(list(&["python3", "my agent.py"]), r#"["python3","my agent.py"]"#);
        assert_eq!(list(&["[", "x", "]"]), r#"["[","x","]"]"#);
        assert_eq!(list(&["a", ""]), r#"["a",""]"#);
    }
}
