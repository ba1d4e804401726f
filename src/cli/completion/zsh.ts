import type { CompletionFlag, CompletionNode } from './completion-nodes.ts';

function functionName(path: readonly string[]): string {
  return ['_commonplace', ...path.map((word) => word.replaceAll('-', '_'))].join('_');
}

/** Square brackets and colons have a meaning in specifications of zsh; descriptions hold neither. */
function flagSpecification({ name, about, takesValue, values }: CompletionFlag): string {
  const value = !takesValue ? '' : values.length > 0 ? `:value:(${values.join(' ')})` : ':value:_files';
  return `'*${name}[${about}]${value}'`;
}

function commandFunction({ path, commands, flags }: CompletionNode): string {
  const specifications = flags.map((flag) => `    ${flagSpecification(flag)} \\`).join('\n');
  if (commands.length === 0) {
    return `${functionName(path)}() {
  _arguments -S \\
${specifications}
    '*:file:_files'
}`;
  }
  const listed = commands.map(({ name, about }) => `    '${name}:${about}'`).join('\n');
  const next = commands.map(({ name }) => `      ${name}) ${functionName([...path, name])} ;;`).join('\n');
  return `${functionName(path)}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${listed}
  )
  _arguments -S -C \\
${specifications}
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
${next}
      esac ;;
  esac
}`;
}

/** A script for zsh: one function for each command. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  return `#compdef commonplace
# zsh completion for commonplace
${nodes.map(commandFunction).join('\n\n')}

if [ "$funcstack[1]" = _commonplace ]; then
  _commonplace "$@"
else
  compdef _commonplace commonplace
fi
`;
}
