# A program for the scripts of 2010 to 2016. For each line that it reads, it prints its next argument, with `_` as a
# blank and `+` as a line end. `dump` prints a dump, `quit` exits.
while printf '> ' && read -r word rest; do
  case "$word" in
    quit) exit 0 ;;
    dump) printf '===\n    b - w\n===\n' ;;
    *)
      if [ $# -gt 0 ]; then
        printf '%s\n' "$1" | tr '_+' ' \n'
        shift
      fi
      ;;
  esac
done
