// Before every other import: Zod tries once whether it may make code at run time, which the page's content security
// policy forbids and the browser reports.
import { config } from 'zod';

config({ jitless: true });
