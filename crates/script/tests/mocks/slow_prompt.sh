# Writes its prompts in two pieces and thinks before it answers.
prompt() { printf 'b>'; sleep 0.1; printf ' '; }
prompt
while read -r word; do
  case "$word" in
    quit) exit 0 ;;
    dump) sleep 0.1; printf '===\n    b - w\n===\n' ;;
    go) sleep 0.3; echo '* a2-c2' ;;
  esac
  prompt
done
