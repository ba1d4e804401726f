import { callOperation } from '../../operations/call.ts';
import { lookUpPage } from '../../operations/capture.ts';
import { addHighlight } from '../../operations/highlights.ts';
import { respond } from '../context.ts';
import { readJsonBody } from '../incoming/body.ts';
import { standardBodyBytes } from '../incoming/limits.ts';
import type { Mount } from '../mount.ts';

/**
 * What the browser extension calls beside `POST /capture`, which saves: whether the page in front of a person is saved, and
 * words that they marked on it. Like that route, these work without the setting `apiV1`. The address of the page is in the
 * body, because proxies log addresses.
 */
export const mountLookUp: Mount = (app, parts) => {
  const routes = { '/capture/look-up': lookUpPage, '/capture/highlights': addHighlight };
  for (const [path, operation] of Object.entries(routes)) {
    app.post(path, async (context) => {
      const caller = await parts.authenticate(context);
      const input = await readJsonBody(context, parts, { maxBytes: standardBodyBytes, largeInputs: [] });
      const { signal } = context.req.raw;
      const output = await callOperation(operation, 'rest', input, caller, { ...parts.services, signal });
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      return respond(context, 200, JSON.stringify(output), headers);
    });
  }
};
