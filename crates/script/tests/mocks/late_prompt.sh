# Prints its first prompt after the time of silence that ends the answer of a program without prompts.
sleep 2.5
printf 'b> '
while read -r word; do
  case "$word" in
    quit) exit 0 ;;
    go) echo '* a2-c2' ;;
    dump) printf '===\n    b - w\n===\n' ;;
  esac
  printf 'b> '
done
