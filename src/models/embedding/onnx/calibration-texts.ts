import { unrelatedTexts } from '../unrelated-texts.ts';

/** Texts of different kinds and languages; the model runs on them while the ranges of its activations are measured. */
export const calibrationTexts: readonly string[] = [
  ...unrelatedTexts.queries,
  ...unrelatedTexts.passages,
  'how to sleep better',
  'best bread flour 2024?',
  'TypeError: Cannot read properties of undefined (reading "length")',
  'const total = items.reduce((sum, { price, count }) => sum + price * count, 0);',
  'SELECT name, count(*) FROM orders WHERE placed_at > "2023-01-01" GROUP BY name ORDER BY 2 DESC LIMIT 10;',
  '# Setting up\n\n1. Install the package.\n2. Run `make all`.\n3. Open http://localhost:8080 and sign in.',
  'So, um, what we found, and I think that is really the point here, is that people do not read the manual at all, right?',
  'The committee shall, no later than thirty days after receipt of the notice, inform both parties of its decision in writing.',
  'Insulin lowers blood glucose by helping cells take it up; when they stop responding, the pancreas makes more of it for years.',
  'Revenue rose 12.4 % to €3.1 bn in Q3, while operating margin fell by 80 basis points on higher freight and energy costs.',
  'Add the onions, a pinch of salt and two tablespoons of oil; stir over low heat for twenty minutes until they are golden.',
  'She had not been back to the house since the summer of the flood, and the key, when she found it, no longer turned.',
  'The gradient of the loss with respect to the weights vanishes where the activation saturates, which is why deep networks used to be slow to train.',
  'Die Bäume am Ufer stehen seit dem Herbst unter Wasser, und niemand weiß, ob sie im Frühjahr wieder austreiben.',
  'El ayuntamiento aprobó ayer el presupuesto para arreglar las calles del centro antes de que lleguen las lluvias.',
  'Le train de nuit part à vingt-deux heures et arrive à la frontière peu avant le lever du soleil.',
  'Зимой озеро замерзает так крепко, что по нему ездят грузовики.',
  '春になると、山の雪がとけて川の水が増える。',
  '图书馆每天早上九点开门，周末也不休息。',
  'सुबह की चाय के बाद वह रोज़ नदी के किनारे टहलने जाता है।',
  'يفتح السوق أبوابه قبل شروق الشمس ويغلق عند الظهر.',
];
