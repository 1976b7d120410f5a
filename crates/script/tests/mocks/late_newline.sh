# Like no_newline.sh, but the newline comes later, in a write of its own.
read -r x
printf '===\n    b - w\n==='
sleep 0.2
echo
