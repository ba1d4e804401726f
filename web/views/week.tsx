import type { ComponentChildren, JSX } from 'preact';
import { Tick } from '../items/action-row.tsx';
import { Facts, Waiting } from '../parts/elements.tsx';
import { Thing } from '../parts/things.tsx';
import type { ActionOrder, Review } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { todoAddress } from '../data/questions.ts';
import { headingOf } from '../items/item-facts.ts';

/** Action items of each kind; all of them stand in their own view. */
const maxShown = 7;

/** The last seven days: what came, what was done, and what waits. */
export function Week(): JSX.Element {
  const { answer: review, error } = useAnswer<Review>('weekly_review', {});
  return review === undefined ? <Waiting error={error} /> : <Days {...review} />;
}

function Days(review: Review): JSX.Element {
  const { saved, finished, actionsOverdue, actionsDue, actionsDone, actionsOpen, actionsNeglected } = review;
  const toRead = [...saved.items, ...finished.items].filter(({ status }) => status === 'completed');
  const goals = [...review.goalsWithProgress.items, ...review.goalsWithoutProgress.items];
  const open = [actionsOverdue, actionsDue, actionsOpen, actionsNeglected];
  const waiting = open.reduce((sum, { total }) => sum + total, 0);
  const hasProblems = review.failed.total + review.stuck.total > 0;
  return (
    <>
      <p class="span soft">
        {text.day(review.from)} to {text.day(review.to)}
      </p>
      <p class="figures">
        <a href="#week-read">{text.number(saved.total)} saved</a>
        <a href="#week-done">{text.number(actionsDone.total)} done</a>
        <a href="/app/actions">{text.number(waiting)} to do</a>
      </p>
      <Actions name="Overdue" actions={actionsOverdue} state="open" by="day" />
      <Actions name="Due this week" actions={actionsDue} state="open" by="day" />
      <Actions name="Waiting for two weeks or more" actions={actionsNeglected} state="open" />
      <Actions name="To do next" actions={actionsOpen} state="open" />
      <Section name="New to read" id="week-read">
        {toRead.length === 0 ? <p class="soft">Nothing was saved in the last seven days.</p> : <Items items={toRead} />}
        <More total={saved.total + finished.total} shown={saved.items.length + finished.items.length} href="/" />
      </Section>
      <Actions
        name="Done this week"
        id="week-done"
        actions={actionsDone}
        state="done"
        nothing="Nothing was ticked off in the last seven days."
      />
      {goals.length > 0 && (
        <Section name="Goals">
          <ul class="listed">
            {goals.map(({ id, title, openActions, doneThisWeek }) => (
              <Thing
                title={<a href={todoAddress('open', id)}>{title}</a>}
                facts={[
                  `${doneThisWeek === 0 ? 'nothing' : text.number(doneThisWeek)} done this week, ${openActions === 0 ? 'nothing' : text.number(openActions)} open`,
                ]}
              />
            ))}
          </ul>
        </Section>
      )}
      {hasProblems && (
        <Section name="Not read">
          <p>
            {review.failed.total > 0 && (
              <a href="/app/problems">{text.counted(review.failed.total, 'item')} could not be read</a>
            )}{' '}
            {review.stuck.total > 0 && (
              <a href="/?state=pending">
                {text.counted(review.stuck.total, 'item')} {review.stuck.total === 1 ? 'has' : 'have'} waited for more
                than a day
              </a>
            )}
          </p>
        </Section>
      )}
    </>
  );
}

function Section({ name, id, children }: { name: string; id?: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="week-part" id={id}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function More({ total, shown, href }: { total: number; shown: number; href: string }): JSX.Element | null {
  if (total <= shown) return null;
  return (
    <p class="more">
      <a href={href}>and {text.number(total - shown)} more</a>
    </p>
  );
}

interface ActionsParts {
  name: string;
  id?: string;
  actions: Review['actionsOpen'];
  state: 'open' | 'done';
  /** The order in which the view shows all of them. */
  by?: ActionOrder;
  /** Said when there are none; without it, nothing is shown. */
  nothing?: string;
}

function Actions({ name, id, actions: { items, total }, state, by, nothing = '' }: ActionsParts): JSX.Element | null {
  const shown = items.slice(0, maxShown);
  if (shown.length === 0 && nothing === '') return null;
  return (
    <Section name={name} {...(id !== undefined && { id })}>
      {shown.length === 0 && <p class="soft">{nothing}</p>}
      <ul class="actions">
        {shown.map((action) => (
          <li key={action.id} id={action.id} class={`action ${state}`}>
            <Tick action={action} state={state} />
            <div dir="auto">
              <p class="title">{action.title}</p>
              <Facts
                of={[
                  action.due !== undefined && <span class="due">by {text.day(action.due)}</span>,
                  action.priority !== undefined && text.todo.priorityOf[action.priority],
                  action.goal,
                  action.daysOpen !== undefined && `${text.counted(action.daysOpen, 'day')} open`,
                ]}
              />
            </div>
          </li>
        ))}
      </ul>
      <More total={total} shown={shown.length} href={todoAddress(state, undefined, by)} />
    </Section>
  );
}

function Items({ items }: { items: Review['saved']['items'] }): JSX.Element {
  return (
    <ul class="listed">
      {items.map(({ id, title, url, contentType, savedAt, summary }) => (
        <Thing
          key={id}
          title={<a href={`/app/read/${id}`}>{headingOf({ title, url })}</a>}
          facts={[contentType !== null && text.kinds[contentType], text.day(savedAt)]}
        >
          {summary !== undefined && <p class="summary">{summary}</p>}
        </Thing>
      ))}
    </ul>
  );
}
