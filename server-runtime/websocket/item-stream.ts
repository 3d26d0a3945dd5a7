import { isSse, toTextOfItem } from '../capability/reply.ts';
import type { ItemSource } from '../resources/item-source.ts';
import { type Sink, startPump } from '../resources/pump.ts';
import type { CallId } from './message.ts';
import type { SocketCall } from './socket-call.ts';
import { toItemText, toResultText, toStreamText } from './wire.ts';

/** How long the caller waits for the first item before it gets a message that there is a stream, milliseconds. */
const OPEN_MS = 500;

/**
 * Sends the items of a call as messages. It reads the next item when the connection takes it, and when the caller has
 * room for it: browsers store everything that arrives, however slowly it is read.
 */
export class ItemStream implements Sink {
  readonly #call: SocketCall;
  readonly #id: CallId;
  readonly #status: number;
  /** The number of items that the caller has room for. */
  #credit: number;
  #isStarted = false;
  #hasId = false;
  /** Whether its caller may call again without getting or doing anything twice. */
  mayMove: boolean;
  #opening: NodeJS.Timeout | undefined;
  #goOn: (() => void) | undefined;

  constructor(call: SocketCall, id: CallId, status: number) {
    this.#call = call;
    this.#id = id;
    this.#status = status;
    this.mayMove = call.isQuery;
    this.#credit = call.message.window ?? Number.POSITIVE_INFINITY;
  }

  start(items: ItemSource): void {
    if (this.#status !== 200) this.#sayOpen();
    else this.#opening = setTimeout(() => this.#sayOpen(), OPEN_MS);
    startPump(items, this, { signal: this.#call.signal });
  }

  /** The caller has room for more items. */
  addCredit(count: number): void {
    this.#credit += count;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  /** @throws TypeError for an item that cannot be sent */
  write(item: unknown): Promise<void> | undefined {
    const call = this.#call;
    const data = toTextOfItem(item, call.owner.format.toText, call.capability);
    const event = isSse(item) ? item : undefined;
    call.owner.send(toItemText(this.#id, data, event));
    this.#hasId ||= event?.id !== undefined;
    this.mayMove = this.#hasId;
    this.#credit--;
    this.#reportStart();
    if (this.#credit > 0) return call.owner.whenDrained();
    const room = new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    return room.then(() => call.owner.whenDrained());
  }

  end(): void {
    const { owner } = this.#call;
    if (!this.#isStarted) this.#sayOpen();
    owner.answer(this.#call, toResultText(this.#id, 'null'));
    this.#reportStart();
    owner.forget(this.#call);
  }

  /** The caller learns why, unless it has left or wants to hear nothing. */
  fail(thrown: unknown): void {
    const call = this.#call;
    clearTimeout(this.#opening);
    const { owner, lastWord = call.app.toFailure(thrown) } = call;
    if (lastWord === 'nothing') owner.answer(call, undefined);
    else if (this.#isStarted) {
      if (call.lastWord === undefined) call.report(lastWord);
      owner.answer(call, owner.toFailureText(this.#id, lastWord, call));
    } else call.refuse(lastWord);
    owner.forget(call);
  }

  /** Tells the caller that there is a stream, before any item does: a later error is then its end. */
  #sayOpen(): void {
    const call = this.#call;
    call.owner.send(toStreamText(this.#id, this.#status, call.isQuery));
    this.#reportStart();
  }

  /** Hooks learn of a stream with its first item, as over HTTP. */
  #reportStart(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    clearTimeout(this.#opening);
    this.#call.reportAnswer(this.#status);
  }
}
