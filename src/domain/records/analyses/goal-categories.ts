export const goalCategories = ['Health', 'Wealth', 'Relationships'] as const;
export type GoalCategory = (typeof goalCategories)[number];

/** Synonyms of each category in people's words. */
const belonging: Readonly<Record<GoalCategory, string>> = {
  Health:
    'body mind fitness exercise sport sports gym running nutrition diet food sleep wellness wellbeing mental mindfulness ' +
    'meditation stress medical recovery weight energy habits hobby hobbies leisure fun spirituality',
  Wealth:
    'money finance finances financial career work job business income savings saving investing investment investments ' +
    'retirement budget debt property house home learning education skills skill study studies school degree language ' +
    'languages professional productivity project projects writing technology',
  Relationships:
    'family friends friend friendship love partner marriage dating parenting children kids parents social community ' +
    'network networking people neighbours volunteering charity communication colleagues pets',
};

const about: Readonly<Record<GoalCategory, string>> = {
  Health: 'body and mind',
  Wealth: 'money, work and learning',
  Relationships: 'family, friends and others',
};

/** The category to which most of the words belong; null when none does, or two tie. */
function fittingCategory(text: string): GoalCategory | null {
  const words = text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z]+/);
  const counted = goalCategories
    .map((category) => {
      const own = new Set(belonging[category].split(' '));
      return { category, count: words.filter((word) => own.has(word)).length };
    })
    .sort((a, b) => b.count - a.count);
  const [first, second] = counted;
  return first === undefined || first.count === 0 || first.count === second?.count ? null : first.category;
}

/** Suggests the right category for an unknown one, without repeating the input. */
export function categoryAdvice(given: unknown): string {
  const fits = typeof given === 'string' ? fittingCategory(given) : null;
  const all = goalCategories.map((category) => `${category} (${about[category]})`).join(', ');
  return fits === null
    ? `must be one of these, the nearest that fits: ${all}`
    : `must be one of ${goalCategories.join(', ')}: take ${fits} (${about[fits]})`;
}
