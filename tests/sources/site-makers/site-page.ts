/** Paragraphs about keeping bees, for pages of tests. */
export const essay: readonly string[] = [
  'My grandfather kept eleven hives behind the barn, and he never once wore gloves. He said that a bee can tell a nervous hand from a calm one, and that the gloves were only there for the nerves.',
  'I did not believe him until the summer I turned nineteen, when a swarm settled on the gutter above the kitchen door and nobody else was home to deal with it.',
  'A swarm looks frightening, but it is the gentlest moment in the life of a colony. The bees have no brood to defend and no honey to guard, and they have filled their stomachs before leaving.',
  'You hold a box beneath them, give the branch one sharp shake, and most of the cluster falls in with a sound like wet sand. If the queen is among them, the rest follow within an hour.',
  'The first mistake I made was to feed them too early. Sugar syrup in spring tells a colony that there is plenty outside, and they raise more brood than the weather can carry.',
  'By the third week of April the temperature dropped to four degrees, the foragers stayed in, and half of the new larvae were chilled before the workers could cover them.',
  'What saved the hive was a neighbour who had seen it happen in 1987. She told me to take out two frames, close the entrance to the width of a thumb, and leave them alone for ten days.',
  'Leaving things alone turns out to be most of the craft. Every time you open the lid you undo an afternoon of work: the wax seal is broken, the warmth escapes, and the scent of the queen thins out.',
  'In the second year I started to write everything down: the weight of each box, the day the willows opened, the number of mites on the white board underneath. Patterns appeared that memory would have smoothed over.',
  'The heaviest hive was never the one with the most bees. It was the one whose queen stopped laying a little earlier in August, so that more of the summer went into honey and less into mouths.',
  'People ask whether it is worth the money, and the honest answer is that it is not. The equipment cost me about six hundred euros, and in five years I have sold honey for perhaps four hundred.',
  'But on a still evening in June you can put your ear against the wood and hear thirty thousand wings drying nectar, and I have not found a better use for an evening yet.',
];
/** Paragraphs about a build tool. */
export const manual: readonly string[] = [
  'Every project has exactly one workspace file, which lists the packages that belong together and the order in which they are built. The file is read once at startup and is never written by the tool itself.',
  'A task runs in its own directory with a clean environment. Variables are passed through only if the task names them, so that a build on your laptop gives the same result as one on a server.',
  'If the inputs of a task have not changed since its last run, the output is restored from the cache instead. Inputs are compared by content, so touching a file does not invalidate anything.',
  'To install the command line tool, download the archive for your platform and put the binary somewhere on your path. There is no installer, and nothing else is written to your disk.',
  'The first run takes longer than the following ones because the dependency graph has to be computed. On a repository with two thousand packages this takes around nine seconds on a recent machine.',
  'You can pass several task names at once. They run in parallel as far as their dependencies allow, with one worker for each processor unless the concurrency option says otherwise.',
  'When a task fails, the tasks that depend on it are skipped and reported as such. Tasks that do not depend on it continue, and the exit code is that of the first failure.',
  'Remote caching is off by default. Once it is turned on, results are uploaded after each successful task, and the upload happens in the background so that it never slows down a build.',
  'The cache directory may be deleted at any time. Nothing in it is needed for a correct build, and the tool creates it again on the next run with the permissions of the current user.',
  'Older versions stored hashes in a single file, which led to merge conflicts on shared machines. Since version four each package has its own file, named after the hash of its path.',
];
export const para = (texts: readonly string[], attributes = ''): string =>
  texts.map((text) => `<p${attributes === '' ? '' : ` ${attributes}`}>${text}</p>`).join('\n');
/** A page in the markup of a generator or a site, and what is read from it. */
export interface SitePage {
  name: string;
  url: string;
  html: string;
  /** Texts that must be found, in this order. */
  must: readonly string[];
  mustNot: readonly string[];
  title?: string;
  author?: string | null;
  date?: string;
  contentType?: string;
  site?: string;
}
