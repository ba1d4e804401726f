/*
 * Recognises programming text. The steps of a programming tutorial only make sense while following it, so they are not
 * useful as things to do later.
 */

/**
 * Spellings that do not occur in prose: `a_name`, `LIKE_THIS`, `likeThis`, `call()`, `--flag`, `config.yaml`, `<tag>`,
 * a command.
 */
const written = [
  // regex: at most 1,000 characters: `isAboutCode` looks at no more of a sentence (`maxLooked`)
  /\w\(\)|\b\p{L}+_\p{L}+|(?:^|\s)--?[a-z][\w-]*\b|<\/?[a-z][^>]*>|\$\{?[A-Za-z_]|[=!]==?|=>|::|\b(?:[a-z]\w*\.)+[a-z]\w*\(/u,
  /(?<![\p{L}\d])(?!i(?:Phone|Pad|Pod|Mac|Cloud|OS|Tunes|Movie|Photo)|e(?:Bay|Book|SIM)|mRNA|macOS)[a-z]{2,}[A-Z][a-z]\w*/u,
  /[\w-]\.(?:ya?ml|json|jsx?|tsx?|mjs|py|html?|css|scss|md|xml|sh|java|cpp|cs|rs|php|rb|ini|toml|env|csv|sql|ipynb|conf|exe|dll|jar)\b/i,
  /\b(?:npm|npx|git|pip3?|sudo|docker|kubectl|curl|wget|yarn|pnpm|cargo|brew|apt(?:-get)?|ssh|mkdir|chmod|grep) +[a-z./-]{2,}/,
];

/** Words that only programmers use; one is enough. */
const terms =
  /\b(?:arrays?|callbacks?|booleans?|integers?|subclass(?:es)?|namespaces?|constructors?|instantiate|repositor(?:y|ies)|repo|compiler|dataframes?|tuples?|endpoints?|middleware|localhost|stdin|stdout|stack trace|regex|command line|command prompt|source code|code (?:block|snippet|editor|below|above)|pull requests?|virtual environment|environment variables?|foreign keys?|primary keys?|api keys?|access tokens?|placeholders?|debugg(?:er|ing)|(?:derived|base|parent|child) class(?:es)?|override the|kernels?|jupyter|notebook cells?|run all cells|(?:development|dev|staging) server|config(?:uration)? files?|the following (?:lines?|code|commands?|snippets?|scripts?)|(?:catch|throw|raise) (?:the|an) (?:exception|error)|clone the|wrap (?:the|your) component|json|html|css|xml|sql|sdks?|apis?|ides?|python|javascript|typescript|kubernetes)\b/i;

/** Everyday words that are also programming terms; a sentence with three different ones is about programming. */
const everyday =
  /\b(?:functions?|variables?|arguments?|parameters?|class(?:es)?|methods?|strings?|objects?|modules?|librar(?:y|ies)|packages?|loops?|scripts?|tests?|import|return|define|declare|initiali[sz]e|terminal|commit|branch|deploy|server|compile|query|schema)\b/gi;

/**
 * Only this many characters are checked: some patterns restart at every word, and a text without full stops is one long
 * sentence.
 */
const maxExamined = 1_000;

/** Whether a sentence is about programming. */
export function isAboutCode(whole: string): boolean {
  const sentence = whole.slice(0, maxExamined);
  if (written.some((pattern) => pattern.test(sentence)) || terms.test(sentence)) return true;
  return /^(?:return|import|declare|instantiate|initiali[sz]e|define) (?:the|a|an) (?:sum|value|result|module|function|class|variable|object|new)\b/i.test(
    sentence,
  )
    ? true
    : new Set(sentence.toLowerCase().match(everyday)).size >= 3;
}
