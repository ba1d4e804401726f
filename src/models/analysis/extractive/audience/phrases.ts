/** Instructions that serve the page and not its reader: to subscribe, share, follow, buy, read on, accept. */
const aboutThePage = [
  // "us" and "our" mark sales text or a report; "I" marks a personal story.
  /\b(?:us|[Oo]ur|I|I'\w+)\b/,
  /\b(?:link|button|code) in (?:the|my|our|your) (?:description|bio|profile|header|footer|caption)\b|\b(?:near you|to your favou?rites|screenshot|premium|showroom|refer a friend)\b|\bin (?:the|a|this) (?:thread|subforum|previous (?:section|chapter))\b/i,
  /^(?:search the|compare (?:prices|models|products|offers|similar)|(?:create|open|set up) (?:an?|your) (?:free )?(?:account|profile)\b)|\bpost a\b/i,
  /^for (?:more|further|additional|full|a (?:much )?(?:deeper|closer|complete|full))\b/i,
  /^(?:save|get|take|enjoy|score|grab) (?:up to|an? (?:extra|additional)|\$?\d+ ?%|unbeatable|exclusive|free)/i,
  // regex: at most 400 characters: `mayInstruct` lets no longer sentence through
  /\b(?:to save|save) (?:up to )?\d+ ?(?:%|percent)|\b(?:while supplies last|free (?:consultation|demo|quote|shipping|trial)|your (?:free )?trial|a demo|per ?month\b.*\bplan)\b/i,
  /^(?:start|get) (?:for free|started (?:today|now|for|with our)|your free)\b/i,
  /^(?:please )?see (?!(?:a|your|an|the) (?:\p{L}+ )?(?:doctor|dentist|physician|gp|lawyer|professional|vet|nurse|midwife|\p{L}+(?:ist|ian|cian))\b|if\b|that\b)/iu,
  /^(?:reach out|learn about|answer (?:a few|some) (?:simple |quick )?questions|take \S+ (?:\S+ )?to the next level|never \w+ly)\b/i,
  /^(?:shop|browse|stick around|feel free|become an?|meet|find sizes|join)\b/i,
  /\b(?:subscribe|unsubscribe|newsletter|sign (?:up|in)|log ?in|cookies? (?:policy|settings)|all cookies|privacy policy|our terms|free trial)\b/i,
  /\b(?:click|tap) (?:here|below|the (?:link|button) (?:below|above))\b/i,
  /^(?:please )?(?:like|follow|join|find|contact|email|reach|support|visit|tell|ask|call|message|connect with|check out|get in touch with|donate to) (?:us|me|our|my)\b/i,
  /^(?:please )?(?:share|rate|bookmark|print|save|like|cite|flag) (?:this|the|our) (?:article|story|post|page|video|recipe|episode|guide)\b/i,
  /^(?:get|receive|download|grab|claim|try|watch|listen to|explore|discover|browse|shop|see|view|read|check out|visit|pre-?order|order|buy|learn (?:more )?about|take) (?:our|my|all of our|all our|the full|the rest|the complete|the latest|the original)\b/i,
  /^(?:read|learn|find out|discover|see|show|view|load|hear) (?:more|less|all|also|below|here|on|next|why|how|what|where)\b/i,
  /^(?:check|head|click|scroll|skip|jump|go|swipe|tap|read|tune|stay|keep|hop) (?:out|over|through|down|on|back to|to (?:the )?(?:main|content|comments|top|next)|in|tuned|reading|scrolling|watching|up with)\b.*\b(?:our|guide|post|article|list|video|site|website|content|below|link|more|winners|page|part|top|here|story|stories|reviews?)\b/i,
  /^(?:stay tuned|stay up to date|keep (?:scrolling|reading|up with)|skip to|continue (?:reading|to)|scroll (?:down|on)|read on|see (?:also|below|above|figure|table|more)|back to)\b/i,
  /\b(?:leave|post|write|drop|share) (?:a|your|us a) (?:comment|review|thoughts?|feedback)\b|\b(?:in the|leave) comments?\b/i,
  /\b(?:in your inbox|to your inbox|your email address|special offers?|promo code|use code|limited[- ]time|add to (?:cart|basket|bag)|shop now|buy now|order now|book now|enable javascript|your browser|ad ?blocker|hit the like|like button|our app|this page)\b/i,
  /^(?:advertisement|image|photo|photograph|picture|credit|copyright|source|video|caption|related|editor's note|note|disclaimer|update|correction)\s*:/i,
  /^(?:watch|listen to|see|view) (?:the|this) (?:video|clip|episode|trailer|gallery|slideshow|interview|podcast)\b/i,
  /^(?:visit|see|go to|check) (?:https?:|www\.|the (?:website|site)\b)/i,
  // Things that exist only on a screen: parts of a page, of a thread, of a player.
  /\b(?:this|previous|above|original|my) (?:post|topic|answer|reply|comment)\b|\b(?:this|the|a|your|my) (?:thread|forum|printable version|thumbnail|captcha|pinned (?:post|comment)|profile (?:page|picture)|sidebar|dropdown|drop-down|search (?:bar|box)|home ?page|web ?page|blog post|show notes|playlist|transcript|top of the (?:page|article|chapter))\b/i,
  /^(?:pin|rate|print|bookmark|tweet|share|quote|flag|save|upvote|report|mark|tag|skim) (?:this|it|me|us|your)\b/i,
  /\b(?:on|via|through|at) (?:instagram|facebook|twitter|pinterest|tiktok|linkedin|youtube|reddit|discord|whatsapp|snapchat|telegram|patreon|spotify|x\.com)\b|@\w|#\p{L}|https?:|\bwww\./iu,
  // Pointers to something else to read, hear or look at.
  /^(?:read|watch|hear|listen to|view|see|explore|browse|check out|take a look at|have a look at|look at|try reading|refer to|consult|dive into|catch|revisit) (?:about|on|an?|the|this|these|some|her|his|their|more|all|other|part|up on)?\s?(?:[\p{L}\d'-]+ ){0,4}(?:talks?|episodes?|interviews?|podcasts?|articles?|essays?|posts?|stor(?:y|ies)|reviews?|discussions?|videos?|films?|documentar(?:y|ies)|webinars?|trailers?|blogs?|guides?|tutorials?|papers?|reports?|slides?|transcripts?|pages?|diagrams?|figures?|tables?|charts?|infographics?|sections?|chapters?|documentation|docs|examples?|resources?|case stud(?:y|ies)|faqs?|threads?|images?|photos?|pictures?|galler(?:y|ies))\b/iu,
  /^(?:read|learn) about\b|^take a look at\b|^(?:return|go|jump|skip|turn|scroll|refer|head|move) (?:back |on |over |down |up |ahead )?to (?:the )?(?:top|bottom|start|end|next|previous|beginning|chapter|section|page|appendix|recipe|main|comments|figure|table)\b/i,
  // regex: at most 400 characters: `mayInstruct` lets no longer sentence through
  /\b(?:try|search) again\b|^search for\b|\bfor more (?:details|info|information|about|on|tips|ideas|recipes)\b|\bto (?:see|read|view|learn|find out) more\b|\b(?:click|tap|press|go|see|look|start) (?:here|below|on (?:the|a) (?:map|link|image|button|icon) below)\b|^find out (?:just |exactly |more )?(?:why|how|what|who|where)\b|\bstep-by-step (?:guide|instructions|tutorial)\b|\bdoi\b|\b(?:19|20)\d\d\b[^;]*;\s?\d+/i,
  /\b(?:this|the (?:first|second|third|right)) option\b|\b(?:online store|app store|play store|search results page)\b|\bin (?:\p{Lu}+ )?sizes?\b|^[^:.]{3,60}: ?[~≈]?\d/iu,
  /^(?:sort|filter|refine|narrow|group)\b.*\b(?:results?|products?|items?|price|ratings?|relevance|popularity|brand|size|newest|search)\b|^(?:search|filter|browse) by\b|^(?:select|enter|choose|pick|type|input|upload|add) (?:your|an?|the|one or more) (?:\p{L}+ ){1,4}(?:to (?:see|find|view|get|check|calculate|compare|continue|proceed|begin|receive|join)|below|above|from the (?:list|menu|options))\b/iu,
  /\b(?:search (?:function|feature|field|form|tool)|contact form|(?:form|calculator|tool|map|menu|links?|buttons?|tabs?|filters?) (?:below|above|to the (?:left|right))|user panel|control panel|(?:your|forum) signature|new question|(?:answered|asked|posted|listed|mentioned|linked|shown) (?:here|above|below)|webmaster|moderators?)\b/i,
  /^skip (?:the |this |ahead|straight )?(?:intro|introduction|section|part|chapter|paragraph|to\b)|^return (?:the|any|your|unused|unopened) (?:\p{L}+ )?(?:items?|products?|goods|orders?|purchases?)\b/iu,
  /^join (?:the )?(?:conversation|discussion|newsletter|community|mailing list|thousands|millions|now|today|over)\b/i,
];

/** Imperatives that ask for nothing: turns of speech, thought experiments, wishes, headlines. */
const figuresOfSpeech = [
  /^(?:let's|let us|let me|let alone|suppose|imagine|picture|envision|say (?:you|that|we|a|the)\b|guess|meet|enter the|bless|behold|recall|forget (?:it|about)|enjoy|happy|have (?:fun|a (?:great|good|nice|wonderful|lovely|safe|happy|blessed|pleasant))|good luck|come (?:on|spring|summer|autumn|fall|winter|what|to think|rain)|believe (?:it|me)|trust me|needless|mind you|never mind|make no mistake|rest assured|read on|fast[- ]forward|long live|look no further|note (?:that|this|these)\b|simply put|take note|expect (?:to|a|an|the|more|big)\b|don't sweat|get ready|notice (?:that|how)|keep in mind|bear in mind|remember (?:the|these|this|how|what),?|remember that|remember when|don't (?:worry|get me wrong|be (?:surprised|fooled|alarmed|afraid)|forget that|panic)|do not (?:be (?:surprised|alarmed)|worry)|never before|never (?:has|have|had|was|were|is|did)|please note|thank|cheers)\b/i,
  /^(?:look|listen|see|wait|say|remember|note|mind|well)[,:]/i,
  /^(?:consider|take) (?:the (?:case|example|fact|story|following)|this\b|that\b|for example|for instance|what|how|[A-Z][\w'-]+(?:'s)?,? (?:for (?:example|instance)|as an example))/,
  /^(?:consider|take) [^,]{1,40}, (?:for (?:example|instance)|who|which|a\b|an\b|the\b|whose)/i,
  /^(?:think (?!about|of|before|twice|through|carefully)|think of (?:it|this|the|your|a|an)|think about (?:it|the last|how|what)|call it|call me|ask (?:any|anyone|yourself why)|walk into (?:any|a)|look at (?:the|this|these|any|how|what|it)|go figure|compare (?:that|this) (?:to|with)|see what|watch out world|pay attention, )\b/i,
  /^\w+ too (?:much|many|little|few|long|often)\b.{0,120}\band\b/i,
  /^(?:simply put,|(?:just|simply) (?:know|look at)\b)/i,
  /^(?:think|wait|hear|witness|sit back|take it from)(?:,| me\b|$)|^hear\b|^(?:be|get) (?:warned|aware|prepared)\b(?! (?:to|with|a|an|your)\b)|\bknow(?:ing)? (?:this|that) (?:article|guide)\b|^don't forget[, ]+(?:that|it|they|you|eventually|there|about)\b/i,
  /^let \p{L}[\p{L} ]* (?:commence|begin|roll|be your)\b|^don't (?:just|only|simply|underestimate|hate|blame|shoot|sleep on|let (?:that|this|the name|looks))\b|^(?:go|get) (?:deep|big|wild|crazy)\b/iu,
  /^(?:count (?:me|us|him|her|them)\b|bring on|cue the|(?:try )?tell(?:ing)? that to|come for (?:the|a)\b.*\bstay for)|, as (?:they|we|some|people) say\b|\bas the saying goes\b/i,
  /^(?:consider|take) the (?:\p{L}+ )?(?:case|example|story|fate|humble|curious|fact|following)\b|^take (?:the )?example\b|^move over\b|^don't miss (?!(?:your|a) (?:doses?|appointments?|meals?|payments?|deadlines?))|^(?:witness|recall that|let \p{L} be|blink and|spare a thought|cut to|give or take|leave it to|fall in love|wake up to|hurry|edit:|bump|note how the|take it from)\b/iu,
  /^(?:rest in|say what(?:ever)? you|forget everything|forget what|blame|chalk|add to (?:that|this)|(?:and )?there you|wish|hope|don't forget,|be warned|be aware|beware|so be it|be that as|god|heaven|go for it|go ahead|take heart|take comfort|fear not|worry not|hang in there|hold on|picture|enter)\b/i,
  // "Drink too much and …", "Buy two and get …": a condition in disguise.
  /^(?:do|buy|get|spend|miss|skip|ask|give|try|add|add up|walk|go|cross|take) .{3,60}(?:, and|\band) (?:you(?:'ll| will|'re| get| can| have)|it(?:'ll| will)|they(?:'ll| will)|get)\b/i,
  /\b(?:the (?:king|queen)!|you know what|if you ask me)\b/i,
];

export function isAboutThePage(sentence: string): boolean {
  return aboutThePage.some((pattern) => pattern.test(sentence));
}

export function isFigureOfSpeech(clause: string): boolean {
  return figuresOfSpeech.some((pattern) => pattern.test(clause));
}
