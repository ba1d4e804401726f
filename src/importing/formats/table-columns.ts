/*
 * Columns of tables by unknown programs: people make them by hand, and programs name them in the language of the
 * user. A column with an unknown name is recognised by its content.
 */

/** Of several columns with one meaning, the one listed first here is used. Other columns keep their names. */
const names: Readonly<Record<string, string>> = {
  url: `url,link,href,uri,address,permalink,website,web address,link url,page url,source url,given url,resolved url,channel url,adresse,
    webadresse,lien,enlace,dirección,collegamento,indirizzo,endereço,vínculo,adres,łącze,länk,lenke,bağlantı,ссылка,адрес,链接,网址,連結,
    網址,リンク,링크`,
  title: `title,page title,given title,resolved title,channel title,name,titel,titre,título,titulo,titolo,tytuł,nazwa,nom,nome,nombre,
    başlık,название,заголовок,タイトル,标题,標題,제목`,
  tags: `tags,tag,manual tags,labels,label,keywords,categories,category,topics,schlagwörter,schlagworte,étiquettes,etiquetas,etichette,
    etiketter,znaczniki,etiketler,теги,метки,タグ,标签,標籤,태그`,
  folder: `folder,collection,list,ordner,sammlung,dossier,carpeta,cartella,pasta,map,mapp,папка,フォルダ,文件夹,資料夾,폴더`,
  notes: `notes,note,comment,comments,annotation,memo,notiz,notizen,kommentar,remarque,remarques,commentaire,nota,notas,comentario,
    opmerking,notatka,notatki,заметка,заметки,メモ,笔记,备注,備註,메모`,
  description: 'description,beschreibung,descripción,descrizione,descrição,описание',
  created: `date added,date saved,time added,added at,added,saved at,saved date,saved,add date,created at,created,creation date,
    hinzugefügt am,hinzugefügt,gespeichert am,erstellt am,erstellt,ajouté le,date d'ajout,creado,aggiunto,toegevoegd,timestamp,date,time,
    datum,fecha,data,дата,日付,日期,날짜`,
  read: 'read,is read,archived,is archived,gelesen,lu,leído,letto,прочитано',
  unread: 'unread,to read,toread,is unread,ungelesen,non lu,no leído',
  favorite: 'favorite,favourite,favorited,starred,is favorite,is starred,favorit,favori,favorito,preferito,избранное',
  shelf: 'shelf',
  status: 'status,state,estado,statut,stato,статус',
};

/** A row by the names of its columns, in lower case. */
export type CsvRow = (column: string) => string;

const byName = new Map(
  Object.entries(names).flatMap(([column, list]) =>
    list.split(',').map((name, rank) => [name.trim(), { column, rank }] as const),
  ),
);

export function knownColumns(header: readonly string[]): string[] {
  const found = header.map((name) => byName.get(name.trim().toLowerCase().replaceAll(/[_-]/g, ' ')));
  return found.map((one, at) => {
    const isFirst = found.every((other, place) => {
      if (place === at || other?.column !== one?.column) return true;
      return (one?.rank ?? 0) < (other?.rank ?? 0) || (one?.rank === other?.rank && at < place);
    });
    return one !== undefined && isFirst ? one.column : '';
  });
}

const isAddress = (cell: string): boolean => /^https?:\/\/\S+$/i.test(cell.trim());
const isVideoId = (cell: string): boolean => /^[\w-]{11}$/.test(cell.trim());
const isTime = (cell: string): boolean => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(cell.trim());
const isWords = (cell: string): boolean => /\p{L}{2}/u.test(cell) && !isAddress(cell) && !isTime(cell);

/** The head of a table whose header is not known. `from`: the first row that is no header. */
export interface GuessedTable {
  header: string[];
  from: number;
}

/** Finds the columns of addresses and titles by the first rows; null when there are no addresses. */
export function guessTable(rows: readonly string[][]): GuessedTable | null {
  return guessPlaylist(rows) ?? guessAddresses(rows);
}

/** A playlist of Google Takeout, whose columns have names in the language of the user: ids of videos, and times. */
function guessPlaylist(rows: readonly string[][]): GuessedTable | null {
  const from = rows.findIndex(([id = '', ...more]) => isVideoId(id) && more.some(isTime));
  const isHeader = rows[from - 1]?.[0]?.toUpperCase().includes('ID') === true;
  if (from < 1 || !isHeader || !rows.slice(from).every(([id = '']) => isVideoId(id))) return null;
  const time = rows[from]?.findIndex(isTime) ?? -1;
  const header = rows[from]?.map((_, at) => (at === 0 ? 'video id' : at === time ? 'time added' : '')) ?? [];
  return { header, from };
}

function guessAddresses(rows: readonly string[][]): GuessedTable | null {
  const from = rows.findIndex((row) => row.length > 1 && row.some(isAddress));
  const body = rows.slice(Math.max(0, from));
  const width = Math.max(0, ...body.map((row) => row.length));
  const share = (at: number, is: (cell: string) => boolean) =>
    body.filter((row) => is(row[at] ?? '')).length / body.length;
  const columns = Array.from({ length: width }, (_, at) => at);
  const address = columns.find((at) => share(at, isAddress) >= 0.5);
  if (from === -1 || address === undefined) return null;
  const known = knownColumns(rows[from - 1] ?? []).map((column) => (column === 'url' ? '' : column));
  const header = columns.map((at) => (at === address ? 'url' : (known[at] ?? '')));
  const isId = (at: number): boolean =>
    /^(?:.{0,50}[\W_])?(?:id|uuid|guid|key)$/i.test((rows[from - 1]?.[at] ?? '').trim());
  const title = columns.find((at) => header[at] === '' && !isId(at) && share(at, isWords) >= 0.5);
  if (!header.includes('title') && title !== undefined) header[title] = 'title';
  const named = rows[from - 1] ?? [];
  return { header: header.map((name, at) => name || (named[at] ?? '')), from };
}
