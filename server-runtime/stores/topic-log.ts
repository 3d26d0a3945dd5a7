import { defineError } from '../errors/define-error.ts';

/** Items behind an id are no longer there, so that whoever goes on from it would miss some. */
export const Gap = defineError(
  409,
  'Items of this topic are no longer there: begin with what there is now',
  'Gap',
);

/** How much of a topic a store holds for subscribers that come back. */
export interface TopicLimits {
  /** The newest items of the topic; a store may keep some more. */
  readonly maxItems: number;
  /** The time after which a topic goes away that nobody publishes to or hears, milliseconds. */
  readonly keepMs: number;
}

/** An item of a topic. All subscribers of a process that hear it get the same object. */
export class StoredItem {
  /** `epoch-number`: numbers are counted from one item to the next, and a topic that begins anew has a later epoch. */
  readonly id: string;
  readonly text: string;
  /** What the topic has made of the text, for all of its subscribers. */
  event: unknown = undefined;

  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
  }
}

/** Hears what is published. Its methods must not throw. */
export interface TopicListener {
  take(item: StoredItem): void;
  /** Called once, in place of all further items. */
  fail(reason: Error): void;
}

export interface Following {
  /** The id behind which the items begin that the listener gets. */
  readonly id: string;
  /** The id of the newest item when it began: its process may not have heard of that one yet. */
  readonly newest: string;
  readonly leave: () => void;
}

/** The part of a store that keeps topics: of each, the items in their order, with ids in which a gap can be seen. */
export interface TopicLog {
  /** Adds an item behind all others, and gives its id. Rejects where the store is away. */
  readonly append: (topic: string, text: string, limits: TopicLimits) => Promise<string>;
  /** A page of the items behind an id, the oldest first. Rejects with `Gap` where the first of them is missing. */
  readonly read: (topic: string, after: string) => Promise<readonly StoredItem[]>;
  /** Calls the listener with every item that is published from now on, until it leaves or fails. */
  readonly follow: (
    topic: string,
    limits: TopicLimits,
    listener: TopicListener,
  ) => Promise<Following>;
  /** Takes the log of the server whose store it is, for what no caller learns. */
  readonly logTo: (logger: Pick<Console, 'info' | 'warn'>) => void;
  readonly warn: (text: string, details: object) => void;
}

interface ItemId {
  readonly epoch: number;
  readonly number: number;
}

/** Undefined for a text that is not an id: callers send what they like. */
export function parseItemId(id: string): ItemId | undefined {
  if (!/^\d{1,15}-\d{1,15}$/.test(id)) return undefined;
  const [epoch, number] = id.split('-');
  return { epoch: Number(epoch), number: Number(number) };
}

/** Whether no item was published between the two. */
export function isNextItem(id: string, before: string): boolean {
  const one = parseItemId(before);
  return one !== undefined && id === `${one.epoch}-${one.number + 1}`;
}

/** Whether an item was published behind another one. */
export function isBehind(id: string, other: string): boolean {
  const one = parseItemId(id);
  const two = parseItemId(other);
  if (one === undefined || two === undefined) return false;
  return one.epoch === two.epoch ? one.number > two.number : one.epoch > two.epoch;
}
