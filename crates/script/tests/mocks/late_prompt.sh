# Takes longer to print its first prompt than a program without prompts may print nothing.
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
