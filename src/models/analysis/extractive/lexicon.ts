import { roughStem } from './words.ts';

/*
 * Classes of words that help to tell a person's own affairs from those of sellers, programs and pages. They are
 * features for the model, not decisions: a word may be in several classes, and the weight of each is learned.
 */

const classes: Record<string, string> = {
  people: `friend family partner wife husband spouse child kid baby toddler teenager son daughter mother father mum mom dad parent
    grandmother grandfather grandparent brother sister sibling cousin neighbour neighbor colleague coworker boss manager landlord tenant
    doctor dentist nurse pharmacist therapist counsellor lawyer teacher tutor coach mentor guest host couple relative stranger somebody
    someone person adult student roommate physician vet`,
  body: `hand foot leg arm back neck shoulder knee hip head face eye ear nose mouth tooth teeth gum skin hair muscle joint bone heart lung
    stomach belly chest wrist ankle elbow finger toe calf thigh core spine body blood pressure pulse weight breath breathe posture
    pain ache fever cough cold flu allergy injury wound burn symptom rash sprain medicine medication pill tablet vaccine vitamin
    supplement painkiller dose sunscreen sleep nap bedtime rest stretch exercise workout walk run jog swim squat plank push-up yoga
    stress anxiety mood worry calm habit smoke alcohol caffeine health diet calorie`,
  food: `water coffee tea juice milk wine beer soda drink food meal breakfast lunch dinner snack fruit vegetable salad bread rice
    pasta bean lentil nut seed meat chicken beef fish egg cheese butter oil salt sugar flour dough garlic onion tomato potato pepper
    sauce soup stew broth spice herb oven pan pot bowl knife fork plate lid fridge freezer leftover grocery pantry protein fibre
    fiber carb carbohydrate grain portion recipe ingredient tray whisk marinade crust batter vegan gluten chocolate dessert`,
  home: `house home flat apartment room kitchen bathroom bedroom attic basement cellar roof gutter wall floor ceiling door window
    curtain carpet rug sofa chair desk table shelf drawer cupboard closet wardrobe bed mattress pillow sheet blanket towel laundry
    washing dish sink tap faucet pipe drain valve toilet shower radiator boiler heating thermostat furnace filter vent fan light lamp
    bulb switch socket outlet wire fuse circuit battery smoke alarm detector lock key screw nail hammer drill saw sandpaper paint brush
    glue tape ladder tool stain dust mould mold leak crack hinge tile wood plaster caulk vinegar soap bleach cloth sponge broom vacuum
    clothes shoe coat shirt box trash bin recycling rubbish clutter`,
  garden: `garden lawn grass plant flower rose tree shrub hedge weed soil compost mulch seedling root leaf leaves bud pot bed frost pest
    slug aphid fertiliser fertilizer bulb prune harvest dog cat puppy kitten pet leash hen fish tank aquarium horse hive`,
  money: `money cash budget debt loan mortgage rent bill card credit interest fee account saving deposit salary wage raise income
    expense tax receipt refund pension retirement fund share stock bond portfolio insurance premium deductible policy bank lender
    quote estimate bargain price cost percent dollar euro payment subscription contract invoice warranty offer`,
  learning: `book chapter note notebook page exam test essay draft sentence paragraph word language vocabulary lesson class course
    homework question answer subject topic skill instrument guitar piano scale song practice study resume cv interview application
    letter deadline meeting calendar schedule list checklist task project goal plan step routine diary journal timer mistake feedback`,
  time: `minute hour day night morning afternoon evening noon week weekend month year season spring summer autumn fall winter today
    tonight tomorrow monday tuesday wednesday thursday friday saturday sunday once twice daily weekly monthly every while until before after`,
  travel: `passport visa ticket train bus ferry plane flight luggage suitcase bag backpack map hike trail boot tent camp weather rain
    sun snow thunder car tyre tire brake engine bike bicycle bicycle helmet oil mechanic seat belt driver road route traffic trip`,
  devices: `phone password backup photo router notification screen tablet laptop charger camera email inbox app update scam`,
  screen: `click tap swipe scroll button icon menu tab toolbar sidebar dialog window cursor mouse keyboard field form checkbox
    dropdown slider link url page screen settings option panel pane folder file download upload login account profile browser website
    site homepage cookie captcha qr code pdf`,
  program: `function method class object array string variable parameter argument value server client database table query index
    column row schema api endpoint token request response header json html css sql script module package library framework component
    container image cluster node deploy deployment repository branch commit merge build compile debug log exception error thread
    process queue cache config configuration environment plugin extension command terminal shell version release migration test
    workflow pipeline model prompt agent developer sdk cloud`,
  shop: `shop store cart basket checkout order delivery shipping free discount sale deal coupon gift voucher collection range size
    colour color style stock wishlist product brand offer trial plan pricing demo quote price showroom dealer bundle membership
    member reward save buy purchase`,
  business: `customer client team business brand market marketing campaign audience lead revenue growth sales engagement conversion
    insight data decision productivity efficiency operations compliance enterprise stakeholder strategy solution platform service
    innovation experience journey outcome value performance risk workforce employee staff hiring talent partner industry project
    dashboard analytics traffic content seo channel scale seamless`,
  praise: `perfect beautiful stunning timeless effortless effortlessly effortless easy easily seamless seamlessly ultimate best
    finest premium luxurious luxury unique unforgettable exclusive amazing award-winning trusted certified confidence comfort style
    dream magic breathtaking bold smart smarter faster instantly instant quickly powerful advanced expert experts ease joy delight
    freedom peace ready`,
  forum: `thread post topic forum moderator mod reply comment signature avatar pm dm upvote poll member poster subforum troll faq
    newsletter subscribe article blog podcast episode video channel story gallery review comments inbox`,
  media: `figure table section chapter appendix reference source photo image caption video clip film movie album song poem novel
    painting interview example case story history theory proof theorem equation scene`,
  game: `quest level boss player enemy sword armor dungeon map raid loot card dice token pawn character weapon xp mission ore`,
  law: `applicant lessee lessor party terms conditions agreement liability pursuant notice hereby regulation statute consent
    committee court form section member office authority registrar`,
};

const verbClasses: Record<string, string> = {
  'do by hand': `add alternate apply attach bake blanch bleed blot brew buff caulk dab descale disinfect drizzle dust elevate gargle ice jot marinate massage moisturise moisturize poke pump rewind shred smooth soften sprinkle swab unclog whip bleed blend boil bring brown brush carry chop clamp clean clear close coat cook cool cover crush cut
    defrost degrease dig dilute drain dry dust empty feed fill fold freeze fry glue grate grease hang heat hold insert iron knead
    label lay lift line loosen lower lubricate mark mash mix mount move mow mulch oil pack paint park pat peel place plant plug pour
    preheat press prune pull pump push put reheat remove repair replace rinse roast roll rotate rub sand scrape screw scrub seal
    season sew sharpen shave simmer slice soak sow spray spread sprinkle squeeze stack stir store strain stretch sweep switch thaw
    tie tighten tilt toast trim turn twist unplug unscrew unwrap vacuum wash water weigh whisk wipe wrap wring`,
  live: `bathe blink breathe chew drink eat exercise exhale fast floss hydrate inhale jump kneel lean meditate pack pause pedal relax rise shower snack get go keep lie live nap rest run sit sleep stand stay swim walk warm wear wake skip stop quit`,
  plan: `anticipate block break budget cap celebrate delay delegate designate log postpone reserve shorten calculate choose clear count cross decide define divide draw estimate figure focus identify label list
    measure note order organise organize outline pick plan prepare prioritise prioritize record review schedule set sort start
    begin tailor track write rank brainstorm`,
  learn: `learn memorise memorize practise practice quiz read rehearse repeat research revise study teach test explain summarise
    summarize experiment try`,
  speak: `accept acknowledge agree alert answer apologise compliment confide dial email forgive hear invite mention message notify phone propose recommend respond ring seek text warn welcome apologize ask call consult discuss explain greet hug invite listen negotiate offer praise say speak talk
    tell thank visit name admit confess remind compliment introduce tell write`,
  money: `automate avoid bank barter borrow budget donate earn fund haggle insure lease lend reduce refinance refuse renew round swap trim buy cancel compare consolidate diversify file haggle invest limit negotiate owe pay rebalance rent save
    sell shop spend transfer withdraw claim insure`,
  check: `check confirm ensure inspect look make monitor notice photograph see verify watch weigh research double-check beware`,
  sell: `accelerate achieve attract automate boost bring build capture celebrate collaborate connect conquer convert create customize
    deliver deploy detect discover drive elevate embrace empower enable engage enhance enjoy escape experience explore feel find
    gain generate get give grow harness improve increase indulge integrate land level leverage make manage maximise maximize meet
    monitor move optimise optimize orchestrate power protect reach reduce reimagine scale secure send share ship shop simplify stay
    streamline supercharge tackle taste track transform turn unify unleash unlock upgrade use win`,
  page: `accept add browse cancel decline unsubscribe check click compare contact continue create download enter explore filter find follow join learn leave like
    log look open order pin post print quote rate read refer register reply report reserve return save scroll search see select
    share shop sign skip sort start submit subscribe support tag tap upload view visit vote watch write apply book request call`,
  program: `add append assign attach build call cast catch change check choose clone commit compile configure copy create debug declare
    define delete deploy disable drag drop edit enable execute export extend import include initialise initialize inject
    insert install instantiate invoke launch load log merge modify navigate open override pass paste press print publish push query
    rename replace restart return run select set specify start store throw toggle type update upgrade use wrap`,
  rhetoric: `add ask assume believe bear blame call cast come compare consider count cue do enter expect fear forget get give go
    hear hold hope imagine keep know leave let look love make mark meet mind name note notice picture recall remember rest
    say see show spare stand stop suppose take tell think trust try visit wait walk want watch wish witness`,
};

const aboutOf = byStem(classes);
const verbsOf = byStem(verbClasses);

function byStem(lists: Record<string, string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, words] of Object.entries(lists))
    for (const stem of new Set(words.trim().split(/\s+/).map(roughStem))) {
      const names = found.get(stem) ?? [];
      names.push(name);
      found.set(stem, names);
    }
  return found;
}

/** The subject classes of a word in lower case; empty for most words. */
export function subjectsOf(word: string): readonly string[] {
  return aboutOf.get(roughStem(word)) ?? [];
}

/** The classes of activity that a verb belongs to. */
export function kindsOfDoing(verb: string): readonly string[] {
  return verbsOf.get(roughStem(verb)) ?? [];
}
