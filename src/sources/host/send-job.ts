import type { ChildProcess } from 'node:child_process';
import type { Resource } from '../../domain/records/resource.ts';
import { ProcessingError } from '../../errors.ts';
import { type ReadingJob, type SentJob, type SentResource, sendFailure } from './reading-protocol.ts';

const chunkBytes = 1024 * 1024;

/**
 * Sends a job to a reading process: its description over the IPC channel, its bytes over stdin.
 * @param wanted asked before every chunk, since the process may have been ended meanwhile
 */
export async function sendJob(
  child: ChildProcess,
  job: ReadingJob,
  resources: readonly Resource[],
  wanted: () => boolean,
): Promise<void> {
  // Ignore send errors: the process's answer or its end shows whether the job arrived.
  child.send(sentJob(job), () => undefined);
  for (const { bytes } of resources) {
    // Send one chunk at a time, so that the write buffer does not hold a second copy of the file.
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
      const { stdin } = child;
      if (!wanted() || stdin === null || stdin.destroyed) return;
      const chunk = bytes.subarray(at, at + chunkBytes);
      await new Promise<void>((resolve) => void stdin.write(chunk, () => resolve()));
    }
  }
}

function sentJob({ task, answers }: ReadingJob): SentJob {
  return {
    task:
      task.kind === 'read'
        ? { ...task, original: { ...sentResource(task.original), given: task.original.given } }
        : task.kind === 'decode'
          ? { kind: 'decode', resource: sentResource(task.resource) }
          : task,
    answers: answers.map(({ need, result }) => ({
      need,
      result: result instanceof ProcessingError ? { failure: sendFailure(result) } : { resource: sentResource(result) },
    })),
  };
}

function sentResource({ url, finalUrl, declaredType, fetchedAt, bytes }: Resource): SentResource {
  return { url, finalUrl, declaredType, fetchedAt, size: bytes.byteLength };
}
