import { english } from './english.ts';
import { french } from './french.ts';
import { italian } from './italian.ts';
import { list, type InstructionTable } from './language-table.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

/** The ways in which people note in a language what they have to do. */
export interface TaskTable {
  /** The words before the task itself: "I should", "je dois". */
  cue: RegExp;
  /** Signs that a line is no task: wishes, what others do, what is past. */
  none: RegExp;
  /** True if a clause without a cue says what to do. */
  tells(clause: string): boolean;
}

/** The first word is an infinitive of the language, or one of its imperatives. */
function beginsWith(infinitive: RegExp, exceptions: string, { forms }: InstructionTable): TaskTable['tells'] {
  const others = list(exceptions);
  return (clause) => {
    const first = /^[\p{L}'’-]+(?= )/u.exec(clause)?.[0].toLowerCase() ?? '';
    return !others.has(first) && (infinitive.test(first) || forms.has(first));
  };
}

/** The clause ends with an infinitive, before at most a phrase that says where, with whom or what about. */
function endsWith(exceptions: RegExp, phrase: RegExp, finite: RegExp): TaskTable['tells'] {
  return (clause) => {
    if (finite.test(clause)) return false;
    const words = clause.replace(/[.!]$/, '').replace(phrase, '').trim();
    const last = / (\p{Ll}{3,}(?:en|ern|eln)|doen|gaan|zien)$/u.exec(words)?.[1];
    return last !== undefined && !exceptions.test(last);
  };
}

const participle =
  /^(?:(?:ab|an|auf|aus|ein|mit|nach|vor|weg|zu|zurück|op|af|uit|in|mee|terug)?ge(?!hen|ben|nießen|langen|ven|nieten|bruiken)\p{L}+|(?:be|ver|ent)\p{L}*(?:kommen|loren|gessen|sprochen|gonnen|standen))$/u;

export const taskTables: Readonly<Record<string, TaskTable>> = {
  en: {
    cue: /^(?:remember(?: to|:)|don['’]t forget(?: to|:)?|do not forget(?: to|:)?|(?:i|we) (?:really )?(?:should|must|need to|have to|ought to|still (?:need|have) to)(?: really)?|(?:i )?(?:need|have) to|i['’]ve got to|must)\s+/i,
    none: /\b(?:one day|some ?day|maybe|would be nice|idea|was|were|had|and made|and went)\b|^\p{L}+ (?:is|are|has|will)\b/iu,
    tells(clause) {
      const first = /^(?:please |don['’]t |never )?([A-Za-z]+)(?= [\p{L}\d])/u.exec(clause)?.[1]?.toLowerCase() ?? '';
      if (english.forms.has(first)) return !english.notAfterForm.test(clause.slice(first.length).trimStart());
      return noted.has(first) || (english.imperative?.test(clause) ?? false);
    },
  },
  de: {
    cue: /^(?:(?:ich )?(?:sollte|muss|müsste|soll)(?: (?:ich|endlich|noch|unbedingt|dringend|mal|wieder))*|denk(?:e)? daran,?|wir müssen)\s+/i,
    none: /(?<!\p{L})(?:irgendwann|eines tages|vielleicht|idee|war|hatte)(?!\p{L})/iu,
    tells: endsWith(
      participle,
      / (?:wegen|für|bei|mit|zur?|zum|an|auf|im?|bis|vor|nach|von|vom|um|über|am)(?: [^\s,]+){1,4}$/iu,
      /(?<!\p{L})(?:ist|sind|war|hat|haben|hatte|wird|kann|können|will|wollen|ich|er|sie|wir|man)(?!\p{L})/iu,
    ),
  },
  nl: {
    cue: /^(?:ik (?:moet|zou|dien|wil nog)(?: (?:nog|echt|eens|moeten|ook|eigenlijk))*|denk eraan(?: om)?|vergeet niet(?: om)?)\s+/i,
    none: /(?<!\p{L})(?:ooit|misschien|idee|was|had)(?!\p{L})/iu,
    tells: endsWith(
      participle,
      / (?:over|naar|voor|met|bij|in|op|van|aan|om|tot|uit)(?: [^\s,]+){1,4}$/iu,
      /(?<!\p{L})(?:is|zijn|was|heeft|hebben|wordt|kan|wil|willen|ik|hij|zij|we|wij|die|men)(?!\p{L})/iu,
    ),
  },
  fr: {
    cue: /^(?:je (?:dois|devrais)(?: (?:vraiment|encore|absolument))?|il (?:faut|faudrait)(?: que je)?|(?:n['’]oublie pas|penser|pense)(?: à| de| d['’]))\s+/i,
    none: /(?<!\p{L})(?:un jour|peut-être|idée|était|avait)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:er|ir|re|oir)$/u,
      'hier premier dernier cher hiver soir noir notre votre entre autre contre papier cahier quatre lettre livre encore',
      french,
    ),
  },
  es: {
    cue: /^(?:(?:tengo|hay) que|debo|debería|deberia|necesito|no (?:olvidar|olvides)|acordarme de|recuerda)\s+/i,
    none: /(?<!\p{L})(?:algún día|quizás?|idea|era|había)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aeií]r)(?:l[aeo]s?|me|te|se|nos)*$/u,
      'ayer mujer lugar mar bar primer tercer hogar compra',
      spanish,
    ),
  },
  it: {
    cue: /^(?:(?:devo|dovrei)(?: (?:ancora|proprio))?|bisogna|ricordar(?:si|mi|ti)? di|ricordati di|non dimenticare di)\s+/i,
    none: /(?<!\p{L})(?:un giorno|forse|idea|era|aveva)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aei]re|rre|[aei]r(?:l[aeio]|gli|mi|ti|si|ci|vi))$/u,
      'mare sempre oltre mentre altre',
      italian,
    ),
  },
  pt: {
    cue: /^(?:(?:tenho (?:de|que)|preciso(?: de)?|devo|devia|deveria|há que)|(?:não )?esquecer(?: de)?|lembrar(?:-me)?(?: de)?)\s+/i,
    none: /(?<!\p{L})(?:um dia|talvez|ideia|era|tinha)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aeio]r|ôr)(?:-\p{L}+)?$/u,
      'lugar mar bar mulher qualquer flor cor valor por',
      portuguese,
    ),
  },
};

/** Verbs of errands that begin sentences of other kinds, too. */
const noted =
  list(`call email phone ring text book order pick post return renew cancel check ask fix buy pay send clean wash
  collect drop empty feed fill finish mail mend move oil paint plan plant print reply search sell sign sort start swap switch take talk tell test
  thank tidy try update visit walk water write bleed descale measure`);
