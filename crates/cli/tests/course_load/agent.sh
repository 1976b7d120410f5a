# Breakthrough on 5x5: the first pawn that can move in a preferred direction.
squares='SQUARES'
directions='DIRECTIONS'

begin() {
  side=0
  for file in a b c d e; do
    eval "at_${file}1=0 at_${file}2=0 at_${file}3= at_${file}4=1 at_${file}5=1"
  done
}

play() { # a1-b2, or a1xb2 for a capture
  from=${1%[-x]*} to=${1#*[-x]}
  eval "at_$to=\$at_$from at_$from="
  side=$((1 - side))
}

# Prints the move of the pawn on $1 in direction $2. Fails if it is illegal.
move() {
  file=${1%?} rank=$((${1#?} + 1 - 2 * side))
  [ "$rank" -ge 1 ] && [ "$rank" -le 5 ] || return 1
  case $2$file in
    ahead?) ;;
    leftb) file=a ;;
    leftc|righta) file=b ;;
    leftd|rightb) file=c ;;
    lefte|rightc) file=d ;;
    rightd) file=e ;;
    *) return 1 ;;
  esac
  eval "there=\$at_$file$rank"
  if [ -z "$there" ]; then
    echo "bestmove $1-$file$rank"
  elif [ "$2" != ahead ] && [ "$there" != $side ]; then
    echo "bestmove $1x$file$rank"
  else
    return 1
  fi
}

choose() {
  for direction in $directions; do
    for square in $squares; do
      eval "own=\$at_$square"
      if [ "$own" = $side ] && move "$square" "$direction"; then return; fi
    done
  done
}

begin
while read -r command rest; do
  case $command in
    ugi) echo ugiok ;;
    isready) echo readyok ;;
    position)
      begin
      case $rest in
        *moves*) for played in ${rest#*moves}; do play "$played"; done ;;
      esac
      ;;
    go) CHOOSE ;;
    quit) exit ;;
  esac
done
