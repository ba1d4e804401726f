export const subjects = new Set([
  'i',
  'you',
  'he',
  'she',
  'it',
  'we',
  'they',
  'there',
  'who',
  'nobody',
  'everyone',
  'someone',
]);
export const objects = new Set(
  `a an the your my this that these those it them him her us yourself yourselves each every some any all both one two three
  no another enough more less fewer most many several anything everything something someone anyone people what whatever`
    .trim()
    .split(/\s+/),
);
/** Verbs that take a clause with its own finite verb: "make sure it runs". */
export const takesClause = new Set(
  'make ensure check see ask tell let know have help watch decide find learn pretend show remember write understand figure keep'.split(
    ' ',
  ),
);
/** Words that look like base forms but usually begin a sentence as something else. */
export const notVerbs = new Set(
  `like close back open thanks thank welcome may will can must might could would should shall don
  clean dry slow present sound long short better best light fit live last well right left mean given set provided
  let's okay yes no hello hi dear`
    .trim()
    .split(/\s+/),
);
/** Those of `notVerbs` that begin an instruction when an object follows at once: "Open the lid." */
export const verbWithObject = new Set('close back open clean dry slow present light fit set left right'.split(' '));

/**
 * Common verbs of advice that are as often nouns or adjectives; before an object or a noun without an article they
 * count as verbs.
 */
export const instructing = new Set(
  `add aim answer apply approach arrange ask attach back balance bake blend block boil book break brush budget build buy call
  care challenge change charge check chop claim clean clear click close coat collect combine comment compare compost
  control cook cool copy correct count cover crack cross cut date delay design do document double download drain
  draw dress drill drink drive drop dry eat edit empty end estimate exchange exercise exit face fan fasten feed
  file fill film filter find finish fit fix flip flush focus fold force form frame freeze fry fund glue grab grate grease
  grill grind group guard hammer hand handle hang have heat hold host ice input insert install invest iron join keep label
   leave level lift light limit line link list load lock log lower mail map mark mash mask master match measure
  melt mind mix monitor mount mow name note number offer oil open opt order pack paint park paste pause pay peel
  pick place plan plant play plug point pour practice practise prepare press print protect pull pump
  purchase push put question rack raise rank rate read record reduce refill refund reheat release remove rent repair
  repeat replace report request research reserve reset rest return review reward rinse roast roll rotate round rub
  run sail sample save scale scan schedule score scrape screen screw scrub seal search seat secure select sell
  send separate serve set shake shape share shave shift shower shut sign sketch slice slide slow smoke soak
  sort spend split spot spray spread squeeze stack stand start steam step stir stock stop store stretch
  strip study subtract support surround swap sweep switch table tag take talk tap tape taste tax test thread tie 
  tip toast touch track trade train transfer trap travel treat trim trust try turn type uninstall update upgrade
  use value vent visit vote wait walk warm wash watch water wear weigh wet whip whisk wipe wire work wrap write`
    .trim()
    .split(/\s+/),
);
/**
 * Words that are mostly nouns and adjectives, but begin instructions about kitchen, garden, workshop, office and
 * family.
 */
export const seldomVerbs = new Set(
  `air angle bag bait bank bike bill blunt bottle bread brick bridge butter button cap caulk char chill chit comb core cup curb cure cycle
  date deck dice dish dress earth ease face fish flag flour foam foil fork fuel glaze group guide halve hoe hose interview kick lag layer lean
  leash loop mesh mince mirror mist mute narrow net note object oil own page parcel peg pen pencil phone photograph pickle pile pin pleat pool
  post pot prep present preview prick prime proof quiet quiz rake rebalance ring rotate sage salt salvage sand saw scatter score scout
  screenshot seed shade shelve shield shine shop shred sieve silence sip skim skin slip snip soap sober space spike splint spoon squat staff
  stake stamp steam steep stem stick strap strike string stud stuff swap tail tape tear telephone tent text thank thin thumb time toss trace
  trade trail tube turf twin velvet voice wallpaper weather wedge weed wind wire`
    .trim()
    .split(/\s+/),
);
export const irregularParticiples = new Set(
  'known built paid made given seen sent held kept left told sold bought brought taught written taken shown grown drawn driven born based led lost won meant spent found'.split(
    ' ',
  ),
);
