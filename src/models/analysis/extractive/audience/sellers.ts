/*
 * Who a page is written for. A shop speaks to buyers, a trade's magazine to those who sell: both give instructions, and
 * neither are things to do for someone who saved the page. These are features for the model, not decisions: a plumber's
 * page may say in one section what to do about a burst pipe.
 */

/** What sellers write to those who buy. */
const selling =
  /\bour (?:\p{L}+ )?(?:products?|services?|teams?|customers?|clients?|experts?|stores?|shops?|collections?|range|apps?|platform|solutions?|technicians|specialists|therapists|company|website|warranty|guarantee|prices?|pricing|plans?|offices?|showroom|members?|patients|guests|staff|professionals)\b|\b(?:contact|call|visit|choose|trust) us\b|\badd to (?:cart|bag|basket|wish ?list)|\bfree (?:shipping|quotes?|estimates?|consultations?|trials?|returns|delivery)\b|\b(?:in|out of) stock\b|\b(?:regular|sale|unit) price\b|\bsold out\b|\bget (?:started|in touch)\b|\b(?:book|request|schedule) (?:a|an|your|now|online)\b|\bwe (?:offer|provide|deliver|specialize|specialise|serve|guarantee|ship|proudly)\b|\b(?:buy|shop|order) now\b/giu;

/** People and figures that mostly someone who runs a business or leads its staff speaks of. */
const trading =
  /\b(?:customers?|clients?|clientele|guests?|patients|tenants|visitors|diners|shoppers|buyers|patrons|prospects|leads|attendees|donors|volunteers|subscribers|followers|audience|employees|staff|new hires|workforce|stakeholders|competitors|sales|revenue|profits?|profitable|profitability|turnover|bookings|orders|enquiries|inquiries|deposit|marketing|campaigns?|conversions?|return on investment|kpis?)\b|\byour (?:menu|business|company|brand|store|shop|restaurant|salon|practice|firm|agency|inventory|products|services|team|rates|listing|booth|stall|content)\b/iu;

/** Titles for a trade: "Instagram tips for hair salons", "… that sell", "… your clients will love". */
const tradeTitle =
  /\b(?:for|at|in) (?:\p{L}+ ){0,3}(?:businesses|business|salons?|shops?|stores?|restaurants?|hotels?|brands?|agenc(?:y|ies)|firms?|companies|teams|startups?|entrepreneurs|marketers|managers|owners|employers|landlords|retailers|practices?|clinics?|sellers|contractors)\b|\b(?:clients?|customers|buyers)\b|\b(?:sales|marketing|profitable|revenue|seo|e-?commerce|leads)\b|\bthat sells?\b/iu;

/** At most this many characters of a sentence are checked; a text without full stops is one sentence. */
const maxExamined = 1_000;

/** How often a sentence uses phrases that sell. */
export function countSelling(plain: string): number {
  return plain.slice(0, maxExamined).match(selling)?.length ?? 0;
}

/** Whether a sentence speaks of customers, staff or sales, as advice for a business does. */
export function speaksOfTrade(plain: string): boolean {
  return trading.test(plain.slice(0, maxExamined));
}

/** Whether a title announces advice for a business. */
export function isTradeTitle(title: string): boolean {
  return tradeTitle.test(title.slice(0, maxExamined));
}
