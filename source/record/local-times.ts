import { AsyncLocalStorage } from 'node:async_hooks';
import type { Observer } from '../../server-runtime/capability/run-capability.ts';
import { followWaits, lookForQueries } from '../../server-runtime/observe/waits.ts';
import type { Application } from '../../server-runtime/server/application.ts';
import { type MarkedTimes, type Marks, toStepObserver } from './call-marks.ts';
import { toFieldCarrier } from './carrier.ts';
import { followSpans } from './follow-spans.ts';
import { RecordedCall } from './recorded-call.ts';

/** The times of the calls that this process makes without a server. One object a process. */
export class LocalTimes {
  readonly #running = new AsyncLocalStorage<RecordedCall>();
  readonly #byRequest = new WeakMap<object, RecordedCall>();
  #last: RecordedCall | undefined;

  constructor() {
    followWaits(this.#find);
    followSpans(this.#find);
  }

  /** For the server of the call: each server reads it while it is made. */
  readonly observer: Observer = toStepObserver((request) => this.#byRequest.get(request)?.marks);

  observe(app: Application): Application {
    return {
      ...app,
      execute: (operation, call) => {
        lookForQueries(this.#find);
        const recorded = new RecordedCall('', toFieldCarrier(''));
        // A call that asks its user runs anew with the answer: the last one is whole.
        this.#last = recorded;
        this.#byRequest.set(call, recorded);
        call.marks = recorded.marks;
        this.#running.run(recorded, () => app.execute(recorded.watch(operation, call), call));
      },
    };
  }

  /** Ends the times of the last call, and gives them. */
  takeMarks(): Marks | undefined {
    const marks = this.#last?.toDetails().marks;
    this.#last = undefined;
    return marks;
  }

  readonly #find = (): MarkedTimes | undefined => this.#running.getStore()?.marks;
}
