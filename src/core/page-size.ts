/** How many entries a page has when `limit` of them are asked for: 1 to 1000, and 100 where nothing sensible is. */
export function pageSize(limit: number | undefined): number {
  return limit === undefined || Number.isNaN(limit) ? 100 : Math.min(Math.max(Math.trunc(limit), 1), 1000);
}
