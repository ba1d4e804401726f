#!/bin/sh
# Finds the user's Node.js, 22.19 or newer, and starts the server with it. The runtime inside a desktop assistant refuses
# libraries that its maker has not signed, and an assistant started from the desktop has a short PATH.
server=$(dirname "$0")

# The sentence for a Node.js that is too old is the program's own: only the search asks for the version.
fits() {
  [ -x "$1" ] && "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 19) ? 0 : 1)' 2> /dev/null
}

for node in \
  "$COMMONPLACE_NODE" \
  "$(command -v node)" \
  /opt/homebrew/bin/node \
  /usr/local/bin/node \
  /usr/bin/node \
  "$HOME"/.volta/bin/node \
  "$HOME"/.local/share/mise/shims/node \
  "$HOME"/.asdf/shims/node \
  "$HOME"/.nvm/versions/node/*/bin/node \
  "$HOME"/.local/share/fnm/node-versions/*/installation/bin/node \
  "$HOME"/Library/Application\ Support/fnm/node-versions/*/installation/bin/node; do
  if [ -n "$node" ] && fits "$node"; then
    exec "$node" "$server/start.mjs"
  fi
done
echo "commonplace needs Node.js 22.19 or newer, and none was found. Install it from https://nodejs.org, then start the assistant again." >&2
exit 1
