import { freezeOrigin, principalOf, type ToolCall } from './call.ts';
import type { CatalogEntry, ToolCatalog } from './catalog.ts';
import { errorText } from './errors.ts';
import { type JSONValue, sealJson } from './json.ts';
import type { CheckOptions } from './options.ts';
import { type Policy, policySees } from './policy.ts';
import { isTier } from './tier.ts';
import { invalidArgumentsText, type Refusal, refusalText, refuse, unknownToolText } from './verdict.ts';

/** A call that may be asked about: known tool, valid tier, visible, plain frozen arguments. */
export interface Admitted {
  readonly admitted: true;
  readonly entry: CatalogEntry;
  /** The input as it came, frozen. */
  readonly raw: JSONValue;
  /** Deep-frozen; the object that everybody gets from here on. */
  readonly call: ToolCall & { readonly origin: NonNullable<ToolCall['origin']> };
}

/**
 * The checks that need nobody: the catalog knows the tool, its tier is valid, this caller may see it, and the
 * arguments are plain JSON.
 *
 * @param options - What this request may see, and how its input is parsed.
 */
export function admit(
  call: ToolCall,
  rules: { readonly catalog: ToolCatalog; readonly policy: Policy },
  options: Pick<CheckOptions, 'visible' | 'parse'> = {},
): Admitted | Refusal {
  const { tool } = call;
  const entry = rules.catalog.get(tool);
  if (entry === undefined || entry.name !== tool) return refuse('not_registered', unknownToolText(String(tool)));
  if (!isTier(entry.tier)) return refuse('tier_invalid', refusalText(tool));
  const origin = freezeOrigin(call.origin);
  const hidden = options.visible !== undefined && !options.visible.has(tool);
  if (hidden || !policySees(rules.policy, principalOf(origin), entry)) return refuse('hidden', unknownToolText(tool));
  try {
    const raw = sealJson(call.arguments);
    const parse = options.parse ?? entry.parse;
    const frozen = {
      tool,
      arguments: parse === undefined ? raw : sealJson(parse(raw)),
      ...(call.toolUseId === undefined ? {} : { toolUseId: call.toolUseId }),
      origin,
    };
    return { admitted: true, entry, raw, call: Object.freeze(frozen) };
  } catch (error) {
    return refuse('invalid_arguments', invalidArgumentsText(tool, errorText(error)));
  }
}
