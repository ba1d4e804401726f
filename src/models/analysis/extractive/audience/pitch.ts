/*
 * Sales language in the imperative: to contact the seller, to buy, to feel what an advertisement wants. None of these
 * is something that the person who saved the text meant to do.
 */

const kin =
  '(?!(?:Mum|Mom|Dad|Aunt|Uncle|Grandma|Grandpa|Dr|Mr|Mrs|Ms|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\\b)';
/** A firm's name, which advertisements put after "call" and "trust". */
const firm = `${kin}\\p{Lu}[\\p{L}\\d'&.-]*`;

const pitches = [
  new RegExp(
    `^(?:choose|trust|pick|hire|rely on|count on|go with|work with|partner with|team up with|get in touch with|reach out to|(?:speak|talk|chat) (?:to|with)|ask about|turn to|schedule with|book with|shop (?:at|with)|switch to|contact|call) (?:your |the )?(?:[\\p{Ll}-]+ ){0,2}${firm}(?: (?:and|&) ${firm}| ${firm}|,|[.!]?$| (?:for|to|today|now|so|at)\\b)`,
    'u',
  ),
  /\b(?:specialists|experts|professionals|pros|team|friends|people|technicians) (?:at|of|from) \p{Lu}/u,
  /^(?:call|book|order|apply|enroll?|register|donate|contact|schedule|visit|try|request|start|join|shop|act|talk|speak|chat|hire|sign|learn|get|partner|ask|explore|discover|experience|upgrade)\b.*\b(?:today|now)[.!]*$/i,
  /^(?:donate|request (?:a|an|your)|get (?:a|an|your) (?:free|instant|quick|personali[sz]ed)|schedule (?:a|an|your) (?:free|consultation|demo|call|appointment|tour|visit)|book (?:a|an|your) (?:free|consultation|demo|call|appointment|tour|session|stay)|speak (?:to|with) (?:an?|one of) (?:expert|specialist|agent|advisor|adviser)|apply (?:now|online|today)|order (?:online|today|now)|buy (?:now|online|one|two|\d)|pay online|shop |upgrade (?:to|your plan)|pre-?order)\b/i,
  /\b(?:free (?:estimate|quote|quotation|delivery|returns|samples?)|half price|bulk orders?|sales (?:team|department|representative)|wish ?list|at (?:the )?check-?out|in (?:the|your) (?:cart|basket)|(?:to|into) (?:the|your)? ?(?:cart|basket|wish ?list|compare)|\d+ ?% off|percent off|gift cards?|promotions?|best-?sellers?|in stock|next purchase|first order|coupon|voucher|members-only|rewards program)\b/i,
  /\b(?:effortless(?:ly)?|unparall?eled|timeless|unmatched|unrivall?ed|seamless(?:ly)?|luxurious|exquisite|breathtaking|unforgettable|world-class|state-of-the-art|cutting-edge|like never before|sheer|ultimate|hassle-free|stress-free|unbeatable|pure (?:delight|bliss|joy|luxury)|bliss|paradise|in style|with confidence|peace of mind|possibilities|full potential|next level|for every occasion)\b/i,
  /\b(?:free for \d+|complimentary|best-in-class|enterprise-grade|ai-powered|agentic|industry-leading|award-winning|no-code|all in one place|competitive edge|set your business up)\b/i,
  /^(?:drive|scale|simplify|automate|embed|generate|deliver|manage|turn|secure|optimi[sz]e|customi[sz]e|personali[sz]e|streamline|connect|bring|build|create|grow|unify|deploy|tackle|identify)\b.*\b(?:workflows?|productivity|engagement|innovation|conversions?|data into|enterprise|intelligence|across (?:your|all|every|any)|at scale|in minutes|faster than ever|opportunities and|any device|from scratch)\b/i,
  // regex: at most 400 characters: `mayInstruct` lets no longer sentence through
  /^(?:win (?:an?|up|one|your|the|tickets|prizes|\$)|save (?:big|now|more|money|time|up to|on (?:our|your next|select))\b(?=.*\b(?:on|when|with|this|today)\b.*\b(?:weekend|sale|week|season|order|plans?|today|our)\b)|give the gift|treat (?:your (?:feet|skin|body|hair|senses|family|taste ?buds|palate|loved)|someone|them|mum|mom|dad) (?:to|with)|reserve your)\b|\bto remember[.!]?$/i,
  /^(?:savou?r|immerse|indulge|embark|marvel|dive into|delight|pamper|treat yourself|spoil|wow|ignite|fuel your|harness|reinvent|redefine|equip your|step into|say (?:hello|goodbye)|make a (?:statement|splash)|turn heads|bring (?:home|your (?:vision|ideas|dreams|space|project))|partner with|level up|power up|up your|leverage)\b/i,
];

/** Whether a clause sends its reader to a seller, or uses sales language. */
export function isPitch(clause: string): boolean {
  const lowered = clause.charAt(0).toLowerCase() + clause.slice(1);
  return pitches.some((pattern) => pattern.test(lowered));
}
