# Runs what the host asks for: in each folder NAME of the shared folder that has a file "go", the script "command", in the
# background, with its output in the files "output" and "errors", and at its end its status in "status". A file "stop" sends
# SIGTERM to it: the script has written its process number to "pid".
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
share=$(dirname "$0")

run() {
  /bin/sh "$1/command" >"$1/output" 2>"$1/errors" </dev/null
  echo $? >"$1/status.new"
  mv "$1/status.new" "$1/status"
}

echo up >"$share/up"
while :; do
  for file in "$share"/*/go "$share"/*/stop; do
    [ -e "$file" ] || continue
    folder=$(dirname "$file")
    case $file in
      */go) run "$folder" & ;;
      */stop) kill "$(cat "$folder/pid")" ;;
    esac
    rm "$file"
  done
  /run/busybox usleep 100000
done
