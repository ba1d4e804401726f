import type { Resource } from '../../domain/records/resource.ts';
import { ProcessingError, sendFailure } from '../../errors.ts';
import type { Run } from '../../workers/worker-use.ts';
import { type ReadingJob, type SentJob, type SentResource } from './reading-protocol.ts';

const chunkBytes = 1024 * 1024;

/** Sends a job to a reading process: its description as a message, its bytes over stdin. */
export async function sendJob(
  run: Pick<Run<unknown>, 'send' | 'write' | 'isActive'>,
  job: ReadingJob,
  resources: readonly Resource[],
): Promise<void> {
  run.send(sentJob(job));
  for (const { bytes } of resources) {
    // Send one chunk at a time, so that the write buffer does not hold a second copy of the file.
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
      if (!run.isActive) return;
      await run.write(bytes.subarray(at, at + chunkBytes));
    }
  }
}

function sentJob({ task, answers }: ReadingJob): SentJob {
  return {
    task:
      task.kind === 'read'
        ? { ...task, original: { ...sentResource(task.original), given: task.original.given } }
        : task.kind === 'open'
          ? task
          : { ...task, resource: sentResource(task.resource) },
    answers: answers.map(({ need, result }) => ({
      need,
      result: result instanceof ProcessingError ? { failure: sendFailure(result) } : { resource: sentResource(result) },
    })),
  };
}

function sentResource({ url, finalUrl, declaredType, fetchedAt, bytes }: Resource): SentResource {
  return { url, finalUrl, declaredType, fetchedAt, size: bytes.byteLength };
}
