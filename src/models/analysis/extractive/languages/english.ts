import { list, type InstructionTable } from './tables.ts';

/** Verbs that begin a sentence as hardly anything else. */
const verbs = `add adjust answer assess anchor admit agree allocate allow apologise apologize apply arrange ask assign attach attend avoid bake be become begin bleed blend blink boil book
  borrow breathe bring brush build buy calculate cancel carry celebrate check chew choose chop clarify clear collect combine commit
  compare confirm connect consider consult continue contribute convert count cover create cut decide declutter defrost delegate delete
  descale describe determine discuss disinfect divide do donate drain draw dress drink eat eliminate ensure establish evaluate
  examine exercise expand experiment explain express feed fill find finish fix flatten floss follow forgive freeze gather get give go grab
  grow hang have help hire hold identify ignore include increase inform inspect install insure invest invite involve join keep kneel learn leave lend
  let listen locate lower maintain make marry measure meditate meet mention mix monitor move negotiate notify observe obtain open
  order organise organize pack paint pay pick practise practice prepare prevent prioritise prioritize protect prune pull put read record
  recycle reduce refill register rehearse remember remove renew repeat replace reread research resist review revisit rinse run save say
  schedule see select sell send serve set share show simmer sit skip slice smile soak sort speak spend split spray spread start sprinkle squeeze stay stir
  stop store stretch strengthen subtract swap sweep swim take talk tell think throw tidy trim try tuck turn unplug unscrew unsubscribe update use
  vacuum visit wait walk warm wash watch wear weigh whisk wipe withdraw wrap write
  archive bang beware brainstorm breathe bury carve clasp cook commission complete decline deduct define direct drag err factor explore export finalise finalize frame gain guide hide hit inhale import incorporate inquire investigate
  kiss knead know lag lubricate mulch navigate notice obey offer pedal place praise prefer prioritise prise print produce purchase prop punish quit reach reconcile redirect reflect register rehydrate rely reproof
  request research reserve roll rotate rub run shop sift scan screw scrub secure seek simplify slide spell spit stick stuff submit suggest supply swallow tilt tip toss trust undercook undo understand unroll wrap yield`;
/** Verbs that are as often nouns or adjectives: an object, a particle or an adverb has to follow. */
const nounsToo = `advance aim angle brake circle clean contact correct crack drill drive drop fish float lean loop parcel position puree purée refresh screen shelve slip strip stock stuff thin wind air answer back balance beat bin block bottle break budget call care challenge change charge claim climb close coat comment control cook
  cool copy cream crush cycle dab date design do document dry dust edit email empty end estimate fake fan fasten fence filter fit flush focus fold force freshen
  fry fund glue grate grease grill grip group guard hand handle heat host ice iron jot label land lay lead level lie lift light limit line link list load lock log look mail map mark mash match
  mind mop mulch name narrow note number oil own park pause peel phone photograph place plan plant play plug point pour present press print
  purchase push question raise rake rank rate reach release rent report request reserve repair reset rest return rise reward ride ring roast roll rotate
  round rub sail salt sample sand scale scan score scrape screen scrub seal search season secure separate shake shape sharpen shift shop shower shred shut sign sleep
  smell soap stack stand start steam step stick study support switch tag tape taste tax test tie tilt time top touch toast track trade train transfer travel treat trust
  type value vent voice vote water wet wire work`;
/** The words after a verb that may be a noun as well: a determiner, or a preposition or an adverb without a verb soon after. */
const determiners = `an?|the|your|my|any|each|every|all|it|them|some|both|one|two|three|\\d+`;
const particles = `only|more|less|fewer|enough|for|on|in|into|with|at|to|by|from|up|out|off|down|through|around|back|together|between|under|when|if|until|while|as|once|twice|\\p{L}{3,}ly`;
/** After a noun there is a verb soon: "Store brands often cost less." */
const statement = `(?:[\\p{L}'’-]+ ){0,3}(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|does|often|usually|also|means|makes|takes|helps|costs|leaves|works|matters|comes|\\p{L}{3,}ed)(?![\\p{L}\\p{N}])`;

/** A number, a time, or a point in time: with one of these, advice is something to do. */
const definite = `(?<![\\p{L}\\p{N}-])(?:\\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|half|once|daily|weekly|monthly|(?:each|every) (?:day|night|morning|evening|week|month|hour|year)|minutes?|hours?|tonight|tomorrow|this (?:week|weekend|month|evening)|in the (?:morning|evening)|at night|(?:before|after|until)(?= \\p{L}))(?![\\p{L}\\p{N}]))`;
/** Verbs of advice that is too general to be done, unless the sentence has something definite. */
const vague = `start with the(?!.* first(?!\\p{L}))|reflect|identify|assess|determine|stay|be(?! sure)|avoid \\p{L}+ing(?!.* with \\p{L})`;
/** Openings of rhetoric, of what is only to be known or felt, and of the promises of sellers. */
const rhetoric = `consider|focus|think|prioriti[sz]e|observe|pay attention|look for|have something|stay(?! (?:at|in|on|home|away|out|off|under)(?!\\p{L}))|let['’]s|let (?:us|me)|suppose|understand|embrace|keep it simple|acknowledge|celebrate|know|be(?! (?:sure|at|in|on|back|home|ready)(?!\\p{L}))|worry|panic|take (?:charge|a whole|advantage|(?:the |some |your )?time)|start small|get comfortable|it['’]?s? (?:is )?worth|make the most of|imagine|picture|say (?:you|that|we)|pros?|cons?|(?:show|give|help|let|keep|get|make|save|tell|bring|offer) you|(?:increase|lower|reduce|improve|boost|prevent|eliminate|enhance|ease)(?! (?:your|the|how)\\b)|find (?:exactly )?what|guess|meet (?:the|our)|welcome|enjoy|forget (?:it|about)|have (?:fun|a (?:great|good|nice))|look (?:no further|how|what)|note (?:that|how|the)|notice|keep in mind|bear in mind|remember (?:that|when|the|how|what)|look at the|shop|tap|press (?:the \\p{L}+ (?:key|button)|enter)|select (?:an? option|your)|enter|scroll|search (?:by|for|our|the)|post|rate|mark this|take (?:the case|for example|a look|the first step)|give the gift|build their`;
const callsOfPage = `see (?:also|our|the|how|what|more|below|above|figure|table|if|this)|read (?:more|our|on|next|this)|learn (?:more|about|how)|find (?:out more|us|your (?:perfect|local)|the (?:best|perfect|right))|discover|browse|check (?:out|back|availability)|click (?:on|here|the|below|to|through)|subscribe|follow us|join (?:us|our|the|thousands|now|today)|sign up|log in|download (?:our|the|now|your)|get (?:started|in touch|the (?:latest|app)|a (?:free|quote|demo))|start (?:free|for free|today)|try (?:it|our|for free)|order (?:now|online|today)|book (?:now|online|today|a (?:call|demo|table|room|tour))|apply (?:now|today|here)|buy now|create an account|share (?:this|your (?:thoughts|story|experience))|leave a (?:comment|review|reply)|save (?:up to|big|\\p{Sc}|\\d+ ?%)|(?:watch|listen to|hear) (?:an?|the|our) \\p{L}+ (?:with|about|on|of|from)`;

/** "Learn how …", "Sign up …": a call of the page is neither a claim nor something to do. */
export const callOfPage = new RegExp(`^(?:${callsOfPage})(?![\\p{L}\\p{N}-])`, 'iu');

export const english: InstructionTable = {
  steps: 'steps',
  before:
    /^(?:please|always|never|just|simply|instead|again|only|also|then|next|first|second|third|finally|lastly|now|and|but|so|or|do not|don['’]t|do|try to|remember to|make sure to|be sure to|\p{L}{3,}ly)(?:,|(?![\p{L}\p{N}'’]))/iu,
  opening:
    /^(?:(?:even )?(?:if|when)|whenever|once|before|after|while|until|unless|as soon as|as|to|for|in|on|at|with|during|instead of|rather than|where|wherever|every|each|depending on|by)\s/iu,
  imperative: new RegExp(
    `^(?:${nounsToo.trim().replaceAll(/\s+/g, '|')}) (?!\\p{L}+ ?[:–—])(?:(?:${determiners})(?![\\p{L}\\d])|(?:${particles})(?![\\p{L}\\d])(?! ${statement}))`,
    'iu',
  ),
  forms: list(verbs),
  notAfterForm:
    /^(?:is|are|was|were|has|had|came|will|can|could|would|may|might|must|should|also|shows?|suggests?|found|finds|from|by|of|over|against|but|purchase|management|your own business)(?![\p{L}\p{N}])|^[.,;:?]/iu,
  modal:
    /^(?:(?:you|one|we|everyone|everybody|people) (?:really |also |then |always |never )?(?:should|ought to|['’]ll want to|may want to|might want to)(?! (?:feel|see|hear|notice|find|get|be|have|know|consider|understand|remember|differ)\b)|(?:we|i|experts|doctors|dentists) (?:\p{L}+ly )?(?:recommend|suggest|advise)|it['’]?s? (?:is )?(?:best|wise|advisable|a good idea|worth) (?:to|\p{L}+ing)|make sure|be sure|(?:try|aim) (?:to|for)|(?:do not|don['’]t|never) (?:even |ever |just )?(?!worry|panic|mind|be |have |overlook|underestimate|let that|sleep on)\p{L}+)(?![\p{L}\p{N}])/iu,
  infinitive: /(?!)/,
  notTasks: new RegExp(`^(?:(?!.*(?:${definite}))(?:${vague})|${rhetoric}|${callsOfPage})(?![\\p{L}\\p{N}-])`, 'iu'),
  notOurs:
    /(?<![\p{L}\p{N}])(?:(?:for|with|by|from|call|contact|visit|follow|join|tell|ask|email) us|our|ours|your (?:team|users|workloads?|services|apps?|business|company|brand|audience|organi[sz]ation|workflows?|store|website|site)|customers?|clients?|employees|revenue|newsletter|inbox|cookies?|privacy policy|subscri\p{L}+|coupon|promo code|use code|% discount|free (?:shipping|trial|quote|demo|consultation)|add to cart|in stock|timeless|unforgettable|% off|demo|command line|config(?:uration)? file|repository|drop-?down|(?:click|press|tap|select|choose|open) (?:on )?(?:the )?(?:\p{L}+ ){0,3}(?:button|menu|tab|icon|key)|(?:this|these|that|those) (?:\p{L}+[- ]){0,2}(?:page|post|article|thread|video|recipe|guide|tips?|tools?|methods?|steps?|tricks|hints?|resources|shortcut|option)|tips and tricks|(?:keep|continue) reading|read (?:through|on)|for more (?:information|insights|details|tips|about|on|general|help|ideas)|episodes?|podcasts?|(?:link|form|table|chart|video|comments?) (?:below|above))(?![\p{L}\p{N}])|, see \p{L}|[”"’,]\s*(?:(?:\p{L}+ ){0,3})(?:says|said|writes|wrote|adds)(?!\p{L})|https?:|www\.|[`{}<>=|\\]|\w\(\)|--\w|\w_\w|\w\.(?:json|ya?ml|js|ts|py|md|csv)\b/iu,
  leaning:
    /^(?:\p{L}+,? ){1,2}(?:it|them|this|these|those|him|her|so)(?: (?:all|out|up|off|down|in|on|again))?(?:[.!;,]|$| (?:and|or|to|in|on|into|with|for|from|at|over|until|the)\b)|^(?:if|once|unless|after|before) (?:so|not|yes|they|it|this|that|these|those|he|she)\b|(?:steps|tips|instructions|following) (?:below|above)\b|,(?: and)? (?:you|it|they)(?: will|['’]ll)\b| and (?:you|it|they)(?: will|['’]ll)\b|should(?:n['’]t| not) (?:need|have) to\b|^[^,]{4,60}, (?:an?|the|its|which|who) [^,]{3,100}, (?:has|have|had|is|are|was|were|will)\b/iu,
  headline:
    /^(?:Choose|Trust|Pick|Hire|Call|Contact|Visit) \p{Lu}\p{L}+ \p{Lu}|^(?:\p{Lu}\S* (?:(?:an?|the|of|to|for|and|in|your) )?){4}/u,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:advertisement|copyright|all rights reserved|terms of (?:use|service))(?![\p{L}\p{N}])/iu,
};
