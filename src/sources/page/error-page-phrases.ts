/*
 * Phrases that sites show in place of a page. They may be broad, because they are searched for on short pages only
 * (`error-pages.ts`): a longer text is never refused, whatever its topic.
 */

export interface TextTest {
  test(text: string): boolean;
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}

/** Each phrase is a pattern, with the phrases of one language in it. */
function anywhere(...phrases: readonly string[]): TextTest {
  // regex: built on loading: the phrases are those below
  const pattern = new RegExp(phrases.join('|'), 'iu');
  return { test: (text) => pattern.test(squeezed(text)) };
}

/** Matches a phrase if only symbols and non-Latin letters come before it. */
function atStart(...phrases: readonly string[]): TextTest {
  // regex: built on loading: the phrases are those below
  const pattern = new RegExp(phrases.join('|'), 'iu');
  return {
    test: (text) => {
      const line = squeezed(text);
      const [found, word] = [line.search(pattern), line.search(/\w/iu)];
      return found !== -1 && (word === -1 || found <= word);
    },
  };
}

export const robotTitles = atStart(
  'just a moment|please wait|one moment,? please|attention required|pardon our interruption|(?:error )?403\\b',
  'access (?:to this page has been )?denied|are you (?:a )?(?:human|robot)|making sure you.?.?re not a bot',
  '(?:robot|security) check|verify(?:ing)? (?:you are|that you are)|(?:bot|human) verification|ddos-guard|client challenge|captcha',
  'nur einen moment|einen moment bitte|zugriff verweigert',
  'un instant|accès refusé',
  'un momento|acceso denegado',
  'um momento|acesso negado',
  'een ogenblik',
  'один момент|проверка браузера',
  '请稍候|安全验证',
  'しばらくお待ちください',
  '잠시만 기다리',
);

export const robotTexts = anywhere(
  'verif(?:y|ying) (?:that )?you(?:.re| are)(?: a| not)? (?:human|robot|bot)|(?:i am|i.m) not a robot',
  'enable javascript and cookies to continue|checking (?:if the site|your (?:browser|connection)|the site connection)',
  'unusual traffic from your|access to this page has been denied|press (?:and|&) hold|enter the characters you see',
  '(?:complete|solve) (?:the|this) (?:captcha|security check)',
  '(?:prove|make sure) (?:that )?you(?:.re| are) (?:human|not a (?:robot|bot))',
  'bestätigen sie, dass sie ein mensch sind|dass sie kein (?:robot|bot)',
  'vérifiez que vous êtes (?:un )?humain|vous n.êtes pas un robot',
  'verifi(?:que|ca) que (?:es|eres) (?:un )?(?:ser )?humano|no (?:eres|soy) un robot',
  'confirme que você é humano',
  'verifica di essere umano',
  'подтвердите, что вы (?:человек|не робот)',
  '確認してください.{0,10}人間|ロボットではありません',
  '确认您是真人|证明您不是机器人|您的访问(?:出错|异常)',
);

const missing = [
  '(?:page|article|content|file|document|job|listing|product|item) (?:was )?(?:not found|unavailable|does(?: not|n.t) exist|(?:could|can) ?not be found|(?:is )?no longer (?:available|exists))',
  'seite (?:wurde )?nicht gefunden|(?:diese|die) seite (?:existiert nicht|gibt es nicht|wurde nicht gefunden)',
  'page (?:introuvable|non trouvée|inexistante)',
  'p[áa]gina no (?:encontrada|existe)',
  'pagina non (?:è stata )?trovata',
  'p[áa]gina não (?:foi )?encontrada',
  'pagina niet gevonden',
  'nie znaleziono(?: takiej)? strony|strona nie (?:została znaleziona|istnieje)',
  'страница не (?:найдена|существует)',
  'сторінк[ау] не (?:знайден[ао]|існує)',
  'sidan (?:kunde inte hittas|finns inte|hittades inte)',
  'siden (?:blev |ble )?(?:ikke fundet|ikke funnet|findes ikke|finnes ikke)',
  'sivua ei löyd(?:y|etty)',
  'stránka nebyla nalezena',
  'az oldal nem található',
  'sayfa bulunamadı',
  '(?:お探しの)?ページ(?:が|は)見つかりません',
  '(?:抱歉，?)?(?:您(?:访问|请求)的)?(?:页面|頁面|网页)(?:不存在|未找到|找不到)',
  '페이지를 찾을 수 없',
  'الصفحة غير موجودة',
  'הדף (?:לא נמצא|אינו קיים)',
];

const missingAtStart = atStart(
  '(?:(?:error|fehler|erreur|errore|erro)\\s?)?4(?:04|10)\\b',
  'not found\\b',
  'gone$',
  '(?:sorry,? )?(?:this|that|the) (?:page|job|listing|article|product|item) (?:can.t|cannot|could not|isn.t|is not|does(?: not|n.t)|(?:is )?no longer)',
  ...missing,
);

export const missingTitles: TextTest = {
  test: (title) => missingAtStart.test(title) || /\b404\b.{0,20}(?:not found|error)|\bpage not found\b/iu.test(title),
};

/** Matches a whole title. The caller removes the site's name first. */
export const onlyMissing = anywhere(
  String.raw`^(?:oops[!,.]* )?(?:(?:error )?404(?: error)?(?:[ :–—-]+(?:page |file )?not found)?|(?:sorry[!,.]* )?(?:the |this |that )?(?:${missing.join('|')})|not found)[!. ]*(?:\(?404\)?)?$`,
);

export const noticeTexts = anywhere(
  '(?:under|down for) (?:scheduled )?maintenance|wartungsarbeiten|en (?:cours de )?maintenance|en mantenimiento|メンテナンス中',
  '(?:this |the )?domain (?:name )?(?:is|may be) (?:for sale|parked|available for)|buy this domain|coming soon$',
  'diese domain (?:steht zum verkauf|ist geparkt)',
);

export const consentTitles = atStart(
  'before you continue|cookie (?:consent|preferences|settings)|(?:your|we value your) privacy|privacy settings',
  'bevor sie (?:zu|fortfahren)|weiterlesen mit werbung|(?:mit werbung|werbefrei) (?:weiter)?lesen',
  'avant de continuer',
  'antes de continuar|prima di continuare',
  'voordat je verdergaat',
  'zanim przejdziesz',
  'yahoo ist teil der|yahoo is part of|yahoo fait partie',
);

const tracking = anywhere('cookies|tracking|trackern?|technologien|traceurs');
const choices = anywhere(
  '(?:accept|reject|agree|manage)[^.]{0,40}(?:all|options|preferences|cookies)',
  'alle(?:s)? (?:akzeptieren|ablehnen)|zustimmen|einwillig',
  'tout accepter|accepter (?:et|tout)|tout refuser|continuer sans accepter|paramétrer',
  'acept(?:ar|o) tod|rechazar tod|aceitar tod|rejeitar tod|accett(?:a|o) tutt|rifiuta tutt',
  'alles accepteren|zaakceptuj wszyst|принять все|принимаю|同意する|すべて(?:同意|許可)|全部接受|接受所有',
);

export const consentTexts: TextTest = { test: (text) => tracking.test(text) && choices.test(text) };

export const loginTitles = new RegExp(
  [
    String.raw`^\W*(?:log ?in|sign ?in|log ?on|anmelden|einloggen|connexion|se connecter|s.identifier|iniciar sesión|inicia sesión|iniciar sessão|accedi|inloggen|zaloguj się|вход|войти|ログイン|登录|登錄|로그인)(?!\p{L})`,
    String.raw`\b(?:log ?in|sign ?in) (?:to|required)\b|^sign ?up \||^(?:login|sign-?in)$`,
  ].join('|'),
  'iu',
);

export const loginTexts = anywhere(
  'you (?:must|need to|have to) (?:be logged in|log ?in|sign ?in)',
  '(?:please|log ?in|sign ?in) (?:log ?in |sign ?in )?to (?:continue|view|see|access) (?:this|the|to)',
  'this (?:page|content) is only (?:available|visible) to (?:registered|logged)',
  '(?:bitte|sie müssen sich|um .{0,40}) (?:melden sie sich an|anmelden|einloggen)',
  'veuillez vous (?:connecter|identifier)',
  'deb(?:es|e) iniciar sesión',
  '(?:effettua|esegui) (?:il login|l.accesso)',
  'faça login para',
  '(?:log in|inloggen) om',
  'войдите,? чтобы',
  'ログインして(?:ください|続行)',
  '(?:请|請)(?:先)?登(?:录|錄)',
);

export const scriptTexts = anywhere(
  '(?:enable|requires?|need|turn on|activate) (?:to (?:enable|run) )?(?:java ?script)',
  'javascript (?:is|must be|has been) (?:disabled|enabled|required|turned off)',
  '(?:aktivieren sie|bitte) (?:bitte )?(?:ihr )?java ?script',
  '(?:activer|nécessite|désactivé) (?:le )?java ?script|java ?script (?:est désactivé|doit être activé)',
  '(?:activa|active|habilit[ae]|ative|attiva|abilita) (?:o |el |il )?java ?script',
  '(?:включите|требуется) java ?script',
  'java ?script ?を?有効|启用 ?java ?script|請?啟用 ?java ?script',
);

/** Matches a text that says only that the page is loading, as script-built pages do. */
export const onlyLoading =
  /^[\s#*]*(?:loading|please wait|lädt|laden|wird geladen|chargement|cargando|caricamento|carregando|загрузка|読み込み中|加载中|로딩 ?중)[\s.…]*$/iu;

export const payTexts = anywhere(
  '(?:subscribe|sign up|log in|become a (?:member|subscriber)|buy a subscription) (?:now )?(?:to|and) (?:continue|keep|read|unlock|access)',
  '(?:subscriber|member)s?[- ]only (?:story|article|content|post)|(?:continue|keep) reading (?:with|by) ',
  'this (?:article|story|content|post) is (?:for|only available to|reserved for) (?:paid |paying )?(?:subscriber|member)',
  '(?:dieser (?:artikel|beitrag|text) ist|nur|exklusiv) (?:nur )?für (?:abonnent|mitglieder)|weiterlesen mit .{0,20}(?:plus|abo)|abonnieren und (?:weiter)?lesen',
  'article (?:est )?réservé (?:aux|à nos) abonnés|abonnez-vous pour (?:lire|continuer)',
  '(?:contenido|artículo) (?:exclusivo|solo) para (?:suscriptores|socios)|suscr[ií]bete para (?:seguir|leer|continuar)',
  '(?:contenuto|articolo) riservato agli abbonati|abbonati per (?:leggere|continuare)',
  'conteúdo exclusivo para assinantes|assine para (?:ler|continuar)',
  '(?:alleen|exclusief) voor abonnees',
  'только для подписчиков',
  '会員限定|有料会員|この記事は有料',
  '(?:仅限|僅限)(?:订阅|付费|訂閱)',
);

/** Script-built forums contain a hidden login form. A visible form also says in words what it asks for. */
export const passwordWords =
  /pass(?:word|wort|code)|log ?in|sign ?in|anmelde|mot de passe|contrase|senha|wachtwoord|hasło|парол|パスワード|密码|密碼|비밀번호/i;
