# A program of the years 2010 to 2016. For each line that it reads, it prints the next of its arguments, with `_` as a
# blank and `+` as a line end. `dump` prints a dump, `quit` leaves.
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
