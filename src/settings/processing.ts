import { z } from 'zod';

/** How saved items are processed. */
export const processingSettings = {
  workers: z
    .int()
    .min(0)
    .max(32)
    .default(6)
    .describe(
      'How many items are read in parallel per account, with one more for other accounts. With less than 512 MB of memory the default is 1, and 1 then means one item of all accounts at a time. 0: this process saves, but does not process anything.',
    ),
  ocr: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'Recognise English text in pictures and on scanned pages. Needs three more packages; `commonplace doctor` names them.',
    ),
};
