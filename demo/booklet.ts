import { PDFDocument, StandardFonts } from 'pdf-lib';

/** The booklet's pages: a heading each, and paragraphs. */
const pages: readonly (readonly [heading: string, ...paragraphs: string[]])[] = [
  [
    'Vegetables on a balcony',
    'A balcony that faces south gives four people salad from May to October. What it needs is less than most people think: six boxes, a bag of good soil each, and ten minutes a day.',
    'Begin with what forgives mistakes. Radishes are ready after four weeks, chard is cut again and again, and beans climb whatever they find.',
    'Check what the floor may carry before you fill the boxes. Wet soil weighs one and a half kilos a litre, and the boxes belong beside the wall, not at the railing.',
  ],
  [
    'Watering',
    'A box dries out far sooner than a bed in the garden. In summer it takes water early every morning, and in a heat wave once more at dusk, until some of it runs out below.',
    'Put a finger into the soil before you pour. When the first knuckle stays dry, it is time; when it comes out dark, wait a day. More balcony plants drown than die of thirst.',
    'Leaves that are wet at noon do not burn, but they do catch mildew over night. Pour onto the soil, never over the plant.',
  ],
  [
    'Feeding and harvest',
    'The soil of a box is used up after six weeks. From then on give half a dose of a tomato feed every week, and stop in September.',
    'Pick often and pick young. A courgette that becomes a marrow tells the plant that its work is done.',
  ],
];

const width = 420;
const height = 595;
const margin = 48;

/** A booklet of three small pages, as a PDF. */
export async function makeBooklet(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('Vegetables on a balcony');
  document.setAuthor('Roof and Railing');
  const [plain, bold] = [
    await document.embedFont(StandardFonts.TimesRoman),
    await document.embedFont(StandardFonts.TimesRomanBold),
  ];
  for (const [heading, ...paragraphs] of pages) {
    const page = document.addPage([width, height]);
    let y = height - 80;
    page.drawText(heading, { x: margin, y, size: 18, font: bold });
    y -= 34;
    for (const paragraph of paragraphs) {
      let line = '';
      const print = (): void => {
        page.drawText(line, { x: margin, y, size: 11, font: plain });
        y -= 14;
      };
      for (const word of paragraph.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (plain.widthOfTextAtSize(longer, 11) > width - 2 * margin) {
          print();
          line = word;
        } else line = longer;
      }
      print();
      y -= 10;
    }
  }
  return document.save();
}
