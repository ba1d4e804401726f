import type { Store } from '../../../src/store/store.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../content.ts';

/** Ids of what was added, by the name of the parameter that takes them. */
export interface SampleRecords {
  contentId: string[];
  actionId: string[];
  goalId: string[];
}

/** A dozen items with tags, insights and actions, and a goal that the actions serve. */
export async function addSampleRecords(store: Store): Promise<SampleRecords> {
  const goal = await store.addGoal({ title: 'Sleep eight hours', category: 'Health' });
  const contentId: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const text = `Text ${index} about sleep, bread and water.`;
    const id = await addFinishedItem(store, {
      url: `https://example.com/${index}`,
      blocks: paragraphs(text, 'Get up at the same hour every day.'),
      about: { title: `Item ${index}`, contentType: index % 3 === 0 ? 'pdf' : 'article' },
      tags: index % 2 === 0 ? ['even', 'all'] : ['all'],
      analysis: {
        ...emptyAnalysis,
        summary: text,
        insights: [{ text, quote: text, start: 0, end: text.length, locator: { kind: 'page', page: 1 }, url: null }],
        actions: [
          {
            title: `Do ${index}`,
            reason: null,
            quote: text,
            start: 0,
            end: text.length,
            locator: { kind: 'text', start: 0, end: text.length },
            url: null,
            goalId: goal.id,
          },
        ],
      },
    });
    contentId.push(id);
  }
  const actionId = (await store.listActions({ offset: 0 })).items.map(({ id }) => id);
  return { contentId, actionId, goalId: [goal.id] };
}
