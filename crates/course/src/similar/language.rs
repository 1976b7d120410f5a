//! Lexical rules of programming languages, as far as a comparison of programs needs them.

/// Lexical rules of a language.
#[derive(Debug)]
pub(super) struct Language {
    /// Words that keep their identity, sorted. All others are identifiers.
    pub(super) keywords: &'static [&'static str],
    /// Words that are dropped because they do not change what a program does, sorted.
    pub(super) dropped: &'static [&'static str],
    /// First words of statements that import names, which are dropped.
    pub(super) imports: &'static [&'static str],
    /// Beginnings of comments that end with the line.
    pub(super) line_comments: &'static [&'static str],
    /// Prefixes of texts: letters directly before the opening quotation mark.
    pub(super) prefixes: &'static [&'static str],
    /// Other rules.
    pub(super) rules: &'static [Rule],
}

/// A rule that several languages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// `/*` begins a comment.
    BlockComments,
    /// Such comments can be nested.
    NestedComments,
    /// Three quotation marks enclose a text of several lines.
    TripleQuotes,
    /// Such a text at the beginning of a statement is a comment.
    DocStrings,
    /// `'` also begins a lifetime, and every text may have several lines.
    Lifetimes,
    /// Backticks enclose a text, and slashes enclose a regular expression.
    Templates,
}

impl Language {
    /// Returns `true` if the language has a rule.
    pub(super) fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }
}

/// Returns the language of a source file; `None` for other files.
pub(super) fn of_file(name: &str) -> Option<&'static Language> {
    let extension = name.rsplit('/').next()?.rsplit_once('.')?.1.to_ascii_lowercase();
    Some(match extension.as_str() {
        "py" | "pyw" => &PYTHON,
        "java" => &JAVA,
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => &C,
        "js" | "mjs" | "cjs" | "ts" => &JAVASCRIPT,
        "rs" => &RUST,
        "go" | "kt" | "scala" | "cs" | "swift" | "php" | "dart" | "zig" => &SLASHED,
        "rb" | "pl" | "jl" | "sh" | "bash" | "nim" | "r" => &HASHED,
        "lua" | "hs" | "elm" => &DASHED,
        _ => return None,
    })
}

static PYTHON: Language = Language {
    keywords: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "in", "is", "lambda", "match", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ],
    dropped: &[],
    imports: &["import", "from"],
    line_comments: &["#"],
    prefixes: &["r", "b", "u", "f", "rb", "br", "rf", "fr"],
    rules: &[Rule::TripleQuotes, Rule::DocStrings],
};

static JAVA: Language = Language {
    keywords: &[
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "finally",
        "float",
        "for",
        "if",
        "implements",
        "instanceof",
        "int",
        "interface",
        "long",
        "new",
        "null",
        "record",
        "return",
        "short",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "true",
        "try",
        "void",
        "while",
    ],
    dropped: &["final", "private", "protected", "public", "static", "transient", "volatile"],
    imports: &["import", "package"],
    line_comments: &["//"],
    prefixes: &[],
    rules: &[Rule::BlockComments, Rule::TripleQuotes],
};

static C: Language = Language {
    keywords: &[
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "continue",
        "default",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "false",
        "float",
        "for",
        "goto",
        "if",
        "int",
        "long",
        "namespace",
        "new",
        "nullptr",
        "operator",
        "return",
        "short",
        "signed",
        "sizeof",
        "struct",
        "switch",
        "template",
        "this",
        "throw",
        "true",
        "try",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "virtual",
        "void",
        "while",
    ],
    dropped: &[
        "const",
        "constexpr",
        "extern",
        "inline",
        "private",
        "protected",
        "public",
        "register",
        "static",
        "volatile",
    ],
    imports: &["#include", "using"],
    line_comments: &["//"],
    prefixes: &["L", "u", "U", "u8"],
    rules: &[Rule::BlockComments],
};

static JAVASCRIPT: Language = Language {
    keywords: &[
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "continue",
        "default",
        "delete",
        "do",
        "else",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "in",
        "instanceof",
        "new",
        "null",
        "of",
        "return",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "void",
        "while",
        "yield",
    ],
    // A declaration is the same whichever word begins it.
    dropped: &["const", "export", "let", "private", "protected", "public", "readonly", "static", "var"],
    imports: &["import"],
    line_comments: &["//"],
    prefixes: &[],
    rules: &[Rule::BlockComments, Rule::Templates],
};

static RUST: Language = Language {
    keywords: &[
        "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "false", "fn", "for", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "return", "self", "static", "struct", "trait", "true",
        "type", "where", "while",
    ],
    dropped: &["crate", "mut", "pub", "ref", "super", "unsafe"],
    imports: &["use"],
    line_comments: &["//"],
    prefixes: &["b", "c", "r", "br", "cr"],
    rules: &[Rule::BlockComments, Rule::NestedComments, Rule::Lifetimes],
};

/// Rules that fit most languages roughly.
const OTHER: Language = Language {
    keywords: &[
        "and", "begin", "break", "case", "catch", "class", "continue", "def", "default", "do", "done", "elif", "else",
        "elseif", "elsif", "end", "esac", "false", "fi", "fn", "for", "foreach", "func", "function", "goto", "if",
        "in", "let", "local", "loop", "match", "new", "nil", "not", "null", "or", "repeat", "return", "self", "struct",
        "switch", "then", "this", "throw", "true", "try", "type", "unless", "until", "val", "var", "when", "where",
        "while", "yield",
    ],
    dropped: &[],
    imports: &["import", "package", "require", "use", "using"],
    line_comments: &["//"],
    prefixes: &[],
    rules: &[Rule::BlockComments],
};

static SLASHED: Language = OTHER;
static HASHED: Language = Language { line_comments: &["#"], rules: &[], ..OTHER };
static DASHED: Language = Language { line_comments: &["--"], rules: &[], ..OTHER };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_search() {
        for language in [&PYTHON, &JAVA, &C, &JAVASCRIPT, &RUST, &OTHER] {
            for words in [language.keywords, language.dropped] {
                assert!(words.is_sorted(), "{words:?}");
            }
        }
    }
}
