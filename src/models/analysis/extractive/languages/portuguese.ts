import { list, type LanguageTable } from './language-table.ts';

export const portuguese: LanguageTable = {
  steps: 'passos',
  before: /^(?:não |nunca |sempre |primeiro,? |depois,? |em seguida,? |então,? )/iu,
  opening:
    /^(?:se|quando|antes|depois|para|em|no|na|durante|assim que|uma vez|cada|com|sem|ao|à|após|caso)(?![\p{L}\p{N}])/iu,
  imperative: null,
  // The polite forms; those of "tu" look like the third person.
  forms:
    list(`abra aceite acenda adicione agende agradeça aguarde ajuste alongue alterne amasse analise anote apague apare aplique aprenda aproveite aqueça areje arrume asse assine atualize aumente baixe beba bata calcule caminhe cancele celebre certifique-se
    coloque coma combine comece compare compre comunique conclua confira congele conserve consulte conte controle converse copie corra corrija corte cozinhe coza crie cubra cuide cumprimente dê decida dedique defina deite deixe delegue descanse descasque descongele
    desinfete desligue desmarque despeje diga diminua divida durma economize elimine elogie embrulhe encha encontre enxague enxágue ensine entre envie escolha escorra escove escreva escute espalhe espere esprema estabeleça estenda estique estude evite exija explique experimente faça fale
    feche ferva filtre fixe fotografe frite guarde hidrate instale introduza invista jante junte lave leia lembre-se leve levante levante-se ligue limite limpe mantenha marque massaje mastigue meça medite melhore mexa misture molhe monte mostre mude negocie note observe ofereça
    organize ouça pague pare parta passe passeie peça pegue pendure pergunte perdoe pese pesquise pique pinte planeie planeje plante pode polvilhe ponha poupe pratique pré-aqueça prefira prepare preste preencha procure programe prometa proteja prove puxe rale
    reaproveite recicle reduza refogue regue releia renegocie remova repita repouse reserve respire responda restrinja reúna reveja revise rode saia salte seca seque separe semeie sente-se sirva sorria substitua suspenda tampe tempere tente termine teste tire tome torça
    trabalhe transfira trate treine troque unte use utilize varie venda ventile verifique verta vire visite vista volte mande esqueça fume conduza lance force toque`),
  notAfterForm: /^(?:que|ser|estar|haver|chover|o estilo|de cor|de lado|por si)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:(?:não )?(?:deve|deveria|deverá|tem de|tem que|tens de|tens que|é (?:preciso|necessário|importante|recomendável|aconselhável|fundamental|melhor|essencial|conveniente)|convém|vale a pena)|recomenda-se|aconselha-se|(?:você|tu) (?:deve|deveria|precisa|tem de|tem que|deves|tens de)|há que|não se esqueça de|não te esqueças de|não esqueça de|o melhor é|tente|procure|lembre-se de|certifique-se de)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:deixar|misturar|adicionar|juntar|cortar|descascar|picar|aquecer|pré-aquecer|ferver|cozer|cozinhar|fritar|refogar|assar|bater|verter|mexer|colocar|pôr|levar|lavar|escorrer|temperar|servir|cobrir|tapar|reservar|arrefecer|amassar|rechear|regar|podar|plantar|limpar|secar|desligar|verificar|guardar|beber|dormir|evitar)\s(?:bem |primeiro |depois |repousar |arrefecer |cozer |ferver |sempre )?(?:o|a|os|as|um|uma|uns|umas|tudo|todos|todas|com|em|durante|dois|duas|três|\d+)(?!\p{L})(?!.*(?<!\p{L})(?:é|são|aumenta|melhora|permite|reduz|ajuda|pode|na máquina)(?!\p{L}))/iu,
  notTasks:
    /^(?:descubra|descobre|aproveite (?:\d|o desconto|as ofertas|já|agora|esta)|desfrute|subscreva|inscreva-se|assine (?:a nossa|já|agora)|clique|leia (?:também|mais|aqui)|contacte(?:-nos)?|contate(?:-nos)?|entre em contato|imagine|mergulhe|deixe-se|confie|abra (?:o|a) (?:terminal|ficheiro|arquivo|aplicação|aplicativo|página)|note que|note-se|tenha em conta|veja|ver|assista|partilhe|compartilhe|deixe (?:a sua opinião|um comentário|seu comentário|o estilo)|compre (?:até|já|agora|online)|reserve (?:a sua|já|agora|o seu)|escolha (?:o tamanho|o seu|a sua)|tomemos|não esqueçamos|pense (?:n[oa]s?|em|que)|selecione|prima|pressione|ofereça-se|visite(?:-nos)?|consulte (?:as?|os?) noss\p{L}*|siga(?:-nos)?|junte-se|é preciso (?:dizer|reconhecer|admitir|lembrar que|ver)|deve (?:ser|estar|haver|ter)|devem (?:ser|estar|haver)|suponha\p{L}*|conheça|ganhe|obtenha|receba|aumente (?:as|o|os|a)|viaje|viva|experimente (?:a nossa|o nosso|grátis|já)|registe-se|cadastre-se|descarregue|baixe (?:o|a) (?:app|aplicativo|arquivo)|fale connosco|ligue-nos|saiba|torne-se|lembre-se (?:de )?que|não se (?:deve|pode) confundir|pode (?:ser|haver|chover|ter|não)|vamos|limpe mais)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clientes?|funcionários|vendas|faturação|newsletter|noss\p{L}*|connosco|menu|separador|aba|tecla|botão|ficheiro|arquivo|terminal|carrinho|comentários?|vídeo|artigo|esta página|nossa página|página web|site|desconto|oferta|governo|sindicato|inquilino|alunos|capítulo|formulário|segundo|comando)(?![\p{L}\p{N}])/iu,
  leaning: /^(?:não |depois )?\p{L}{3,}-(?:os?|as?|nos?|nas?|los?|las?|lhes?)(?![\p{L}\p{N}])/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookies|aviso legal|todos os direitos reservados|publicidade|continuar a ler|leia mais|clique aqui|subscreva|foto:|condições gerais|comentários)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:mas|e|ou|portanto|assim|isto|isso|este|esta|estes|estas|esse|essa|ele|ela|eles|elas|por isso|então|depois|além disso|também|no entanto|contudo|porém|aliás|por exemplo|de facto|de fato|aqui|ali|seu|sua)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`o a os as um uma uns umas e ou mas nem que quem qual cujo onde quando como se não sim mais menos muito também já de do da dos das ao aos à às em no na nos nas num numa com sem por pelo pela pelos pelas para sobre entre até desde
    é são era eram ser está estão estava foi foram tem têm tinha ter há pode podem deve devem faz fazer me te lhe lhes nos vos meu minha teu tua seu sua seus suas nosso nossa este esta estes estas esse essa isso isto aquele eu tu ele ela eles elas você vocês nós todo toda
    todos todas outro outra outros outras cada mesmo tão tanto porque embora durante antes depois só`),
};
