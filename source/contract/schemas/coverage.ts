import { type ApiSchema, type Branch, toTarget } from '../../document/branch.ts';
import { toBranches } from '../../document/read-branches.ts';
import { isSchemaObject } from '../../document/schema-json.ts';
import { remember } from '../../values/once.ts';
import { rules } from '../changes/contract-change.ts';
import { compareBranches } from './compare-branches.ts';
import { compareWholes } from './compare-pair.ts';
import type { Finding } from './finding.ts';
import { toKindName } from './pair-branches.ts';
import type { SameParts } from './same-parts.ts';

/**
 * A claim that one schema or branch takes every value of another. It holds until a claim that it rests on falls. So the
 * claim of a schema that contains itself may rest on itself.
 */
interface Claim {
  holds: boolean;
  /** The number of claims below it that must fall before it does: one, or all of several branches. */
  chances: number;
  readonly restingOnIt: Claim[];
}

/**
 * Finds whether every value of one schema or branch is one of another, as far as the schemas say. It looks at each pair
 * once: it first collects all claims on which the answer rests, and then lets those fall that rest on a fallen one.
 */
export class Coverage {
  readonly #same: SameParts;
  readonly #before: unknown;
  readonly #ofBranches = new Map<Branch, Map<Branch, Claim>>();
  readonly #ofSchemas = new Map<unknown, Map<unknown, Claim>>();
  /** Claims of pairs of schemas whose parts have not been looked at. */
  readonly #open: (() => void)[] = [];
  readonly #fallen: Claim[] = [];

  constructor(same: SameParts, before: unknown) {
    this.#same = same;
    this.#before = before;
  }

  covers(wide: Branch, narrow: Branch): boolean {
    return this.#holds(this.#claimBranch(narrow, wide));
  }

  coversSchema(wide: ApiSchema, narrow: ApiSchema): boolean {
    return this.#holds(this.#claimSchema(narrow, wide));
  }

  #holds(claim: Claim): boolean {
    for (let look = this.#open.pop(); look !== undefined; look = this.#open.pop()) look();
    for (let fallen = this.#fallen.pop(); fallen !== undefined; fallen = this.#fallen.pop())
      for (const other of fallen.restingOnIt) this.#lose(other);
    return claim.holds;
  }

  #lose(claim: Claim): void {
    claim.chances -= 1;
    if (claim.chances > 0 || !claim.holds) return;
    claim.holds = false;
    this.#fallen.push(claim);
  }

  #rest(claim: Claim, ground: Claim): void {
    if (ground.holds) ground.restingOnIt.push(claim);
    else this.#lose(claim);
  }

  #claimBranch(narrow: Branch, wide: Branch): Claim {
    const wides = remember(this.#ofBranches, narrow, () => new Map<Branch, Claim>());
    const known = wides.get(wide);
    if (known !== undefined) return known;
    const claim: Claim = { holds: true, chances: 1, restingOnIt: [] };
    wides.set(wide, claim);
    if (!mayCover(wide, narrow)) claim.holds = false;
    else if (toKindName(wide) !== 'any') this.#lookAtBranch(claim, narrow, wide);
    return claim;
  }

  #lookAtBranch(claim: Claim, narrow: Branch, wide: Branch): void {
    const findings = compareBranches(narrow, wide, 'input');
    const isWorse = findings.some(
      (each) => each.kind === 'change' && (each.class ?? rules[each.rule].class) !== 'safe',
    );
    if (isWorse) claim.holds = false;
    else for (const each of findings) this.#restOn(claim, each);
  }

  #restOn(claim: Claim, found: Finding): void {
    if (found.kind === 'change') return;
    const { before, after } = found;
    const variance = found.kind === 'inner' ? 'takes' : found.variance;
    if (variance !== 'refuses') this.#rest(claim, this.#claimSchema(before, after));
    if (variance !== 'takes') this.#rest(claim, this.#claimSchema(after, before));
  }

  #claimSchema(narrow: ApiSchema, wide: ApiSchema): Claim {
    const from = toTarget(narrow);
    const to = toTarget(wide);
    const wides = this.#ofSchemas.get(from) ?? new Map<unknown, Claim>();
    const known = wides.get(to);
    if (known !== undefined) return known;
    const claim: Claim = { holds: true, chances: 1, restingOnIt: [] };
    if (isSchemaObject(from) && isSchemaObject(to)) {
      wides.set(to, claim);
      this.#ofSchemas.set(from, wides);
    }
    if (!this.#isSame(narrow, wide)) this.#open.push(() => this.#lookAtSchema(claim, narrow, wide));
    return claim;
  }

  #isSame(one: ApiSchema, other: ApiSchema): boolean {
    return one.root === this.#before
      ? this.#same.isSame(one.json, other.json)
      : this.#same.isSame(other.json, one.json);
  }

  #lookAtSchema(claim: Claim, narrow: ApiSchema, wide: ApiSchema): void {
    if (compareWholes(narrow, wide, 'input').length > 0) {
      this.#lose(claim);
      return;
    }
    const wides = toBranches(wide);
    for (const branch of toBranches(narrow)) {
      const any: Claim = { holds: true, chances: wides.length, restingOnIt: [] };
      if (wides.length === 0) this.#lose(any);
      for (const other of wides) this.#rest(any, this.#claimBranch(branch, other));
      this.#rest(claim, any);
    }
  }
}

/** Whether the types fit: not all numbers are integers. */
function mayCover(wide: Branch, narrow: Branch): boolean {
  if (toKindName(wide) === 'any') return true;
  if (wide.type === 'number' && narrow.type === 'integer') return true;
  return toKindName(wide) === toKindName(narrow);
}
