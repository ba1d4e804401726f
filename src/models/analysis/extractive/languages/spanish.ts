import { list, type LanguageTable } from './language-table.ts';

export const spanish: LanguageTable = {
  steps: 'pasos',
  before: /^(?:no |nunca |siempre |primero,? |luego,? |después,? |entonces,? |además,? )/iu,
  opening:
    /^(?:si|cuando|antes|después|al|para|en|durante|tras|una vez|cada|con|sin|a|por la|por las)(?![\p{L}\p{N}])/iu,
  imperative: null,
  forms:
    list(`abre abra acepta acuéstate aclara agradece agradezca ahorra ahorre aísla alarga alterna anota anote añade añada apaga apague aparta aparte apunta apunte apréndete aprende aprenda arregla asa asegúrate asegúrese averigua
    baja baje bate bata bebe beba borra busca busque calcula calcule calienta caliente cambia cambie camina camine cancela cancele celebra cena cepilla cepille cierra cierre cocina cocine coge coja come coma comienza comience compara compare
    comparte comprueba compruebe congela congele consulta consulte conserva conserve contrata controla corre corra corta corte cose cubre cubra cuece cueza cuelga cuenta cuente cuida cuide da dé date deja deje descansa descanse desconecta desconecte descongela desenchufa desenchufe
    despierta dedica dedique di diga divide divida dibuja duerme duerma echa eche elimina elimine elabora empieza empiece enciende encienda enjuaga enjuague enseña entrena entrene envía envuelve escribe escriba escucha escuche espera espere
    establece establezca estira estire estudia estudie evita evite exige explica felicita fija fije firma firme fotografía fríe fría frota frote guarda guarde habla hable haz haga hierve hierva hidrata invierte invita invite
    lava lave lee lea levanta levante levántate limita limite limpia limpie llama llame llega lleva lleve machaca mantén mantenga marca marque mastica mastique medita mete meta mezcla mezcle mide mida mira moja monta mueve muévete negocia negocie ordena ordene
    organiza organice paga pague parte pasa pase pasea pasee pela pele perdona pesa pese pica pique pide pida planifica planifique planta plante poda pode pon ponga ponte póngase practica practique precalienta precaliente pregunta pregunte prepara prepare presta preste
    programa prueba pruebe protege proteja quita quite recicla recicle recoge recoja recorta recuerda recuerde reduce reduzca refresca regala riega riegue rellena remueve remueva repara reparte repasa repase reparta reserva resérvate respira respire
    responde retira retire reúne revisa revise rocía rocíe ríe sácale saca saque sal salga saluda seca seque separa separe siembra siembre siéntate sírvete sirva sigue siga sofríe sofría solicita solicite sube sujeta suma sustituye sustituya tapa tape
    tira tire toma tome trabaja trae trata trate tritura triture usa use utiliza utilice vacía vacíe vacuna ve vaya ventila ventile verifica verifique vierte vierta viste visita visite vuelve vuelva plancha
    laves uses riegues olvides olvide firmes hagas dejes compres pongas tomes bebas comas conduzcas fuerces mezcles tires abras apagues corras toques guardes digas aceptes viajes esperes prestes salgas añadas metas saltes levantes`),
  notAfterForm:
    /^(?:de|del|por|según|gracias|la atención|y|o|con estilo|que|es|está|son|rápid\p{L}*|el nombre|su nombre|consigo|lugar|parte)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:hay que|(?:no )?(?:debes|deberías|debería|debe|tienes que|tiene que|tenemos que|conviene|es (?:recomendable|aconsejable|importante|mejor|necesario|preferible|imprescindible|conveniente|fundamental))|se (?:recomienda|aconseja)|(?:usted|tú) (?:debe|debería|debes|deberías|tiene que|tienes que)|lo mejor es|trata de|procura|procure|intenta|intente)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:dejar|mezclar|añadir|cortar|pelar|picar|calentar|precalentar|hervir|cocer|freír|sofreír|hornear|batir|verter|remover|colocar|poner|escurrir|sazonar|servir|cubrir|tapar|reservar|enfriar|amasar|rellenar|regar|podar|plantar|limpiar|secar|apagar|desenchufar|revisar|comprobar|llevar|guardar|beber|dormir|evitar)\s(?:bien |primero |luego |reposar |enfriar |cocer |hervir |siempre )?(?:el|la|los|las|un|una|unos|unas|todo|todos|todas|con|en|durante|dos|tres|\d+)(?!\p{L})(?!.*(?<!\p{L})(?:es|son|está|aumenta|mejora|permite|reduce|ayuda|puede)(?!\p{L}))/iu,
  notTasks:
    /^(?:descubr\p{L}*|aprovech\p{L}*|disfrut\p{L}*|suscr\p{L}*|haz clic|haga clic|lee (?:también|más|aquí)|lea (?:también|más)|contáct\p{L}*|contact\p{L}*|imagin\p{L}*|sumérg\p{L}*|déj[ae]te|déjese|déjate|confía|confíe|abre (?:el|la) (?:terminal|archivo|aplicación|app|página)|abra (?:el|la) (?:terminal|archivo|aplicación)|ten(?:ga)? en cuenta|véase|ver|mira el|mire el|mira también|comparte (?:esta?|este|el artículo)|deja (?:tu|un) (?:opinión|comentario)|deje su|compra (?:antes|ahora|ya|online)|compre|reserv[ae] (?:tu|su|ya|ahora)|elig\p{L}*|elige|pongamos|no olvidemos|piens[ae] en|selecciona|seleccione|pulsa|pulse|presiona|regála\p{L}*|visít\p{L}*|consult[ae] (?:nuestr\p{L}*|las bases)|sígue\p{L}*|síga\p{L}*|únete|hay que (?:decir|reconocer|recordar que|tener en cuenta|ver|admitir|señalar)|hay (?:una?|dos|tres|cuatro|\d+)|debe de|debe ser|debe estar|deben de|recuerda que|recuerde que|supongamos|conoce|conozca|gana|gane|consigue|consiga|obtén|recibe|llama la atención|no hay que (?:olvidar|confundir)|trata de (?:un|una|la|el)(?:\s|$)|se trata|aumenta|aumente|llámanos|llámenos|escríbenos|prueba (?:nuestr\p{L}*|gratis)|viaja|viste|vive|viva|hazte|crea tu cuenta|regístrate|descarg\p{L}*)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clientes?|empleados|ventas|negocio|boletín|nuestr\p{L}*|nos|menú|pestaña|tecla|botón|archivo|terminal|cesta|carrito|comentarios?|vídeo|video|artículo|esta página|nuestra página|página web|imagen|diagrama|tabla|sitio web|descuento|oferta|gobierno|sindicato|inquilino|alumnos|capítulo|formulario|según|equipo comercial|comando)(?![\p{L}\p{N}])/iu,
  leaning:
    /^(?:no |luego |después )?\p{L}*(?:[aei]|án|én|áde|ade)(?:los|las|lo|selo|sela|selos|selas)(?![\p{L}\p{N}])(?!\s(?:zapatos))/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:boletín|cookies|aviso legal|todos los derechos reservados|publicidad|seguir leyendo|leer más|haz clic|suscríbete|foto:|condiciones generales|comentarios)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:pero|y|o|pues|así|esto|esta|este|estos|estas|eso|esa|ese|él|ella|ellos|ellas|por eso|por tanto|por lo tanto|entonces|luego|después|además|también|sin embargo|aunque|por ejemplo|de hecho|aquí|allí|su|sus)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`el la los las lo un una unos unas y o u e pero ni que quien cual cuyo donde cuando como si no sí más menos muy también ya de del a al en con sin por para sobre entre hasta desde hacia según
    es son era eran ser está están estaba fue fueron ha han había haber hay tiene tienen tener puede pueden debe deben hace hacer se me te le les nos os mi tu su mis tus sus nuestro nuestra este esta estos estas ese esa eso esto aquel yo tú él ella
    ellos ellas usted ustedes nosotros todo toda todos todas otro otra otros otras cada mismo misma tan tanto porque aunque durante antes después solo`),
};
