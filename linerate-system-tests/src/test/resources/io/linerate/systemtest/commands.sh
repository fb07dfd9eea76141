# Runs the commands of one block of a page, a line each on standard input, in the folder of which the page speaks. Each must
# end with status 0; what would go on is ended with its block. Variables: PATH has linerate, LINERATE_TEST_PROGRAM starts a program for
# commands that need one.
set -u
programs=() lines=() failed=0

fail() {
  echo "FAILED: $*" >&2
  failed=1
}

# Starts what does not end by itself, and waits until it runs.
begin() {
  local line=$1 log=program.${#programs[@]}
  bash -c "exec ${line%&}" >"$log" 2>&1 &
  programs+=($!)
  lines+=("$line")
  for _ in {1..600}; do
    # A page is served, or there is nothing to wait for.
    if grep -q 'dashboard' "$log" || [[ $line != *dashboard* ]] || ! kill -0 "${programs[-1]}" 2>/dev/null; then break; fi
    sleep 0.1
  done
}

# Whether a program runs that other commands can ask; asked is its process then.
has_program() {
  local i
  for i in "${!programs[@]}"; do
    asked=${programs[i]}
    [[ ${lines[i]} != *'linerate dashboard'* ]] && kill -0 "$asked" 2>/dev/null && return
  done
  return 1
}

# One that ends by itself may do so before it is asked; then there is another.
need_program() {
  for _ in {1..600}; do
    has_program || begin "$LINERATE_TEST_PROGRAM"
    has_program && linerate stats "$asked" &>/dev/null && return
    sleep 0.1
  done
}

run() {
  local line=$1 asked=''
  case $line in
    *'linerate top'* | *'linerate stats'* | *'linerate ctl'*) need_program ;;
  esac
  line=${line//4711/${asked:-4711}}
  case $line in
    *'linerate top'*)
      (sleep 3 && printf q) | timeout 60 script -qec "$line" /dev/null >out 2>&1 || fail "$line: $(tail -n 3 out)"
      ;;
    *'linerate dashboard'* | *--dashboard* | *loop=forever* | *' &' | *'stats '*--interval*)
      begin "$line"
      ;;
    *)
      timeout 120 bash -c "$line" </dev/null >out 2>&1 || fail "$line: status=$?: $(tail -n 3 out)"
      ;;
  esac
}

while IFS= read -r line; do
  run "$line"
done

for i in "${!programs[@]}"; do
  kill -TERM "${programs[i]}" 2>/dev/null
  wait "${programs[i]}" || fail "${lines[i]}: status=$?: $(tail -n 3 "program.$i")"
done
exit "$failed"
