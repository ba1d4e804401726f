import { list, type LanguageTable } from './language-table.ts';

export const french: LanguageTable = {
  steps: 'étapes',
  before: /^(?:ne |n['’](?!ou)|toujours |surtout,? |ensuite,? |puis,? |d['’]abord,? |enfin,? |alors,? )/iu,
  opening:
    /^(?:si|quand|lorsque|dès|avant|après|pour|en|dans|pendant|au|à|afin|une fois|chaque|tous|toutes|sans|avec|le|la)(?![\p{L}\p{N}])/iu,
  // "Aérez …": at the beginning, without a subject, only an imperative ends like this.
  imperative:
    /^(?!assez|chez|nez|rez|voyez|soyez\b)(?:\p{L}{2,}ez|faites|dites)(?:-(?:vous|le|la|les|lui|leur|en|y))*(?![\p{L}\p{N}])/iu,
  forms:
    list(`achète aère ajoute allume améliore appelle apporte apprends arrête arrose assieds attends bois bouge branche brosse cache calcule change cherche choisis
    coche commence compare compte conduis congèle conserve consulte contrôle cours coupe couche couvre crée cuisine débranche décide demande déplace dépose dessine détache dis
    discute donne dors double échange économise écoute écris éteins enlève enregistre entretiens épluche essaie essuie étire étudie évite expose fais ferme fixe frotte garde goûte imprime installe
    invite jette joue lave lève limite lis marche masse mange médite mélange mesure mets monte nettoie note offre organise oublie ouvre parle partage passe paie paye pense pèse place plante plie
    porte pose pratique prends prépare présente prévois protège range rappelle ralentis récompense réchauffe rédige réduis refuse regarde règle remercie remplace remplis renseigne répare répète
    réserve respire reste retire retourne réveille révise rince sale sauvegarde sème serre signe simplifie souris sors stocke suis supprime surveille taille téléphone termine teste tiens tire travaille trie trouve utilise
    va varie verse vérifie vends vide viens visite fais-toi accorde-toi couche-toi lève-toi repose-toi entoure-toi`),
  notAfterForm: /^(?:de la |des |du |d['’]|par |est |sont |a |ont |et |ou |toi |à l['’]emploi)/iu,
  modal:
    /^(?:il (?:ne )?(?:faut|faudrait)(?: (?:bien|toujours|d['’]abord|absolument|donc))?|il vaut mieux|mieux vaut|il est (?:conseillé|recommandé|préférable|important|essentiel|indispensable|nécessaire|utile|prudent) (?:de|d['’])|il convient (?:de|d['’])|(?:vous|tu|on) (?:devriez|devrais|devrait|devez|dois|doit))\s?/iu,
  infinitive:
    /^(?!être|avoir|boire ou|manger trop)(?:\p{L}{2,}(?:er|ir|re|oir))(?:\s(?:bien|ensuite|délicatement|doucement|finement|rapidement|revenir|cuire|reposer|refroidir|mijoter|chauffer|fondre|sécher|tremper))*\s(?:le|la|les|l['’]|un|une|des|du|ce|cette|votre|vos|ton|ta|tes|\d+)\s?(?!.*(?<!\p{L})(?:est|sont|a|ont|augmente|améliore|permet|réduit|favorise|fait|peut|reste|devient)(?!\p{L}))/iu,
  notTasks:
    /^(?:découvr\p{L}*|profit\p{L}*|commandez|commande|achetez (?:maintenant|en ligne)|inscri\p{L}*(?:-(?:vous|toi))?|abonne\p{L}*(?:-(?:vous|toi))?|cliqu\p{L}*|contact\p{L}*(?:-nous)?|imagin\p{L}*|plong\p{L}*|laissez-vous|laisse-toi|faites confiance|fais confiance|fiez-vous|lisez (?:aussi|également|la suite|notre)|lis (?:aussi|la suite)|voir|voyez|vois|regardez (?:la vidéo|notre)|partage\p{L}*|donnez votre avis|donne ton avis|laissez un commentaire|consultez (?:nos|notre|la page)|suivez-nous|suis-nous|rejoi\p{L}*|venez|réservez|réserve|offrez(?:-vous)?|offre-toi|faites-vous plaisir|simplifiez(?:-vous)?|appuyez|tapez|sélectionn\p{L}*|saisissez|téléchargez|ouvrez (?:le terminal|le fichier|la page|l['’]application)|choisissez votre (?:taille|formule|modèle)|ajoutez-(?:les?|la)|répétez-l\p{L}+|pensez aux? (?:grand\p{L}*|événements?)|notez que|sachez|rappelez-vous que|n['’]oublions|n['’]oubliez pas que|prenons|supposons|considérons|soyons|voyons|disons|il faut (?:dire|savoir|reconnaître|avouer|rappeler|croire|attendre|compter|noter|(?:\p{L}+|\d+) (?:heures?|minutes?|jours?|mois|ans?))|il ne faut pas (?:confondre|oublier que|croire)|on doit (?:ce|cette|cet|à|aux?|son|sa)|vous devez (?:être|avoir)|tu dois (?:être|avoir)|bénéficiez|augmentez|boostez|craquez|vivez|savourez|retrouvez|trouvez|explorez|envie|essayez (?:notre|gratuitement)|allez|recevez|obtenez|gagnez|admirez|assez|recommencez)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clients?|clientes?|clientèle|équipes?|employés|salariés|chiffre d['’]affaires|newsletter|nous|notre|nos|menu|onglet|touche|bouton|fichier|terminal|panier|commentaires?|vidéo|article|cette page|notre page|page web|page d['’]accueil|site|promotion|remise|réduction|gouvernement|syndicat|locataire|propriétaire|élèves|chapitre|formulaire|selon)(?![\p{L}\p{N}])/iu,
  leaning: /^(?:\p{L}+-(?:le|la|les|lui|leur|en|y)(?:[\s.,!]|$)|\p{L}+ (?:cela|ceci|ça)(?:[\s.,!]|$))/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookies|mentions légales|tous droits réservés|publicité|lire la suite|cliquez ici|abonnez-vous|photo :|crédit photo|conditions générales|commentaires)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:mais|et|ou|donc|or|ni|car|ainsi|cela|ceci|ce|cet|cette|ces|il|elle|ils|elles|celui-ci|celle-ci|alors|ensuite|puis|aussi|enfin|cependant|pourtant|toutefois|en effet|par exemple|de plus|c['’]est)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`le la les l un une des du de d et ou mais donc or ni car ne pas plus que qui quoi dont où ce cet cette ces ça cela il elle ils elles on nous vous je tu
    me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos à au aux en dans sur sous par pour avec sans entre vers chez est sont était étaient être a ont avait avaient avoir
    fait faire peut peuvent doit doivent très aussi bien tout tous toute toutes même si comme quand lorsque après avant depuis encore déjà y s n c j qu peu entre moins autre autres`),
};
