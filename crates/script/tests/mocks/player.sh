# A well-behaved program. For each line that it reads, it prints its next argument as a message, with `_` as a blank. If
# the argument after that is a result, it prints the result, too. `say X` prints X, `warn X` prints X on standard error,
# `dump` prints a dump, `quit` exits.
message() { printf '* %s\n' "$1" | tr _ ' '; }
while printf 'b> ' && read -r word rest; do
  case "$word" in
    quit) exit 0 ;;
    dump) printf '===\n    b - w\n===\n' ;;
    warn) printf '%s\n' "$rest" >&2 ;;
    say) printf '%s\n' "$rest" ;;
    '' | '#'*) ;;
    *)
      if [ $# -gt 0 ]; then
        message "$1"
        shift
        case "${1-}" in *wins. | *game.) message "$1" && shift ;; esac
      fi
      ;;
  esac
done
