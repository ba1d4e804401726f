/** Words for the choices of inputs, in lower case and without spaces, hyphens and underscores. Each group begins with the choices that it may mean. */
const groups = [
  [['text'], 'note plaintext txt memo markdown'],
  [['article'], 'web webpage page website blog blogpost news html'],
  [['youtube'], 'yt youtubevideo'],
  [['video'], 'film movie clip vimeo'],
  [['podcast'], 'audio episode'],
  [['ebook'], 'book epub'],
  [['document'], 'doc docx word office slides presentation spreadsheet'],
  [['image'], 'picture photo png jpg jpeg screenshot img'],
  [['discussion'], 'thread forum comments reddit hackernews hn'],
  [['feed'], 'rss atom'],
  [['repo'], 'github gitlab repository code'],
  [['post'], 'tweet toot socialpost'],
  [['paper'], 'arxiv preprint study'],
  [['done', 'completed'], 'done complete completed finished ready processed closed ok success'],
  [['open', 'pending'], 'todo pending queued waiting new incomplete unprocessed undone notdone reopen reopened'],
  [['processing', 'open'], 'inprogress running active working'],
  [['failed'], 'error failure errored broken'],
  [['dismissed'], 'dismiss cancelled canceled cancel ignored ignore skipped skip rejected'],
  [['lean'], 'false default normal short brief compact minimal summary basic concise standard'],
  [['full'], 'true complete all everything verbose detailed long whole high'],
  [['colour'], 'color'],
  [['goalid'], 'goal'],
] as const;

/** What each word may mean: an input takes the one that is among its choices. */
export const synonyms: ReadonlyMap<string, readonly string[]> = groups.reduce((all, [choices, words]) => {
  for (const word of words.split(' ')) all.set(word, [...(all.get(word) ?? []), ...choices]);
  return all;
}, new Map<string, readonly string[]>());

/** Whether a word for a number, a choice, a date or an id says that nothing was given. */
export function isNothing(word: string): boolean {
  return ['', 'null', 'none', 'undefined', 'nil', 'n/a'].includes(word.toLowerCase());
}
