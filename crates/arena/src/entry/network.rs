//! Recognises builds that failed because they have no network.

/// Lower-case parts of the messages of programs that cannot reach another machine.
const UNREACHABLE: [&str; 14] = [
    "could not resolve",
    "couldn't resolve",
    "couldn’t resolve",
    "unable to resolve host",
    "name resolution",
    "name or service not known",
    "unknownhostexception",
    "unknown host",
    "eai_again",
    "enotfound",
    "no such host",
    "network is unreachable",
    "dial tcp",
    "failed to establish a new connection",
];

/// Texts before and after the name of a package in messages of package managers: pip (twice), Cargo, npm, Maven, Go and
/// git.
const WANTED: [(&str, &str); 7] = [
    ("no matching distribution found for ", ""),
    ("satisfies the requirement ", " "),
    ("failed to get `", "`"),
    ("npm error request to ", " failed"),
    ("could not transfer artifact ", " "),
    ("go: ", ": "),
    ("unable to access '", "'"),
];

/// Returns the package that a build wanted from the network; an empty text if its output does not name one. Returns
/// `None` if the output shows no attempt to use the network.
pub(crate) fn wanted(output: &str) -> Option<String> {
    let tried = output.lines().any(|line| UNREACHABLE.iter().any(|part| line.to_lowercase().contains(part)));
    let named = output.lines().find_map(|line| WANTED.iter().find_map(|pattern| between(line, *pattern)));
    // Without a network, pip may only report that it has found no versions.
    let has_none = output.contains("(from versions: none)");
    (tried || has_none).then(|| named.unwrap_or_default())
}

/// Returns the part of a line between two texts. The first text is found regardless of case. If the second text is
/// empty, the part extends to the end of the line.
fn between(line: &str, (before, after): (&str, &str)) -> Option<String> {
    let at = line.to_ascii_lowercase().find(before)? + before.len();
    let rest = &line[at..];
    let end = if after.is_empty() { rest.len() } else { rest.find(after).unwrap_or(rest.len()) };
    let name = rest[..end].trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_package_is_found() {
        for (output, expected) in [
            (
                "ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)\n\
                 ERROR: No matching distribution found for numpy\n",
                Some("numpy"),
            ),
            (
                "error: failed to get `serde` as a dependency of package `agent v0.1.0`\n\
                 Caused by:\n  [6] Could not resolve hostname\n",
                Some("serde"),
            ),
            (
                "npm error code EAI_AGAIN\nnpm error request to https://packages.example/left-pad failed, reason:",
                Some("https://packages.example/left-pad"),
            ),
            (
                "[ERROR] Could not transfer artifact junit:junit:pom:4.13 from/to central: Unknown host",
                Some("junit:junit:pom:4.13"),
            ),
            (
                "go: example.org/x@v1.0.0: Get \"https://proxy.example/x\": dial tcp: lookup proxy.example",
                Some("example.org/x@v1.0.0"),
            ),
            ("curl: (6) Could not resolve host: files.example", Some("")),
            ("wget: unable to resolve host address ‘files.example’", Some("")),
            ("agent.c:3:1: error: unknown type name `bord`", None),
            ("go: cannot find main module", None),
            ("", None),
        ] {
            assert_eq!(wanted(output).as_deref(), expected, "{output}");
        }
    }
}
