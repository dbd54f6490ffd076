import type { enHub } from './en-hub.ts';

/** What the commands around the hub say in Turkish. */
export const trHub: Readonly<Record<keyof typeof enHub, string>> = {
  'command.serve': 'Ajanı, onaylarını ve sayfasını bu makinenin tek bir adresinde sunar.',
  'command.approvals': 'Çalışan merkezin sorularını listeler, gösterir, onaylar ya da reddeder.',
  'command.token': 'Merkezin erişim belirteçlerini oluşturur, listeler ya da geçersiz kılar.',
  'command.logout': 'Bir kullanıcının tüm sayfa oturumlarını ve kullanılmamış bağlantılarını sona erdirir.',
  'logout.done': "'{principal}' kullanıcısının sona erdirilen sayfa oturumu: {count}.",
  'command.login_link': 'Sayfayı on dakika içinde bir kez açan bir bağlantı yazar.',

  'option.host': 'dinlenecek adres (varsayılan: [serve] host, yoksa 127.0.0.1)',
  'option.port': 'dinlenecek bağlantı noktası (varsayılan: [serve] port, yoksa 4173; 0 boş birini alır)',
  'option.status': 'yalnızca bu durumdaki onaylar ya da all (varsayılan: pending)',
  'option.digest': 'gösterilen sorunun özeti; kimseye sorulamayan yerde gereklidir',
  'option.reason': 'neden reddedildiği; model okur',
  'option.edit': 'yerine bu argümanları onaylar',
  'option.url':
    'başka bir adresteki merkez, örneğin kendi programınızınki; --data yerine geçer, belirteci TAU_TOKEN içinden okunur',
  'option.principal': 'kimin için (varsayılan: [[principals]] içindeki ilk kişi)',
  'option.scopes': 'belirtecin yapabilecekleri (varsayılan: sahibinin yapabildiği her şey)',

  'config.twice': '{where}: {key} {value} iki kez var; birinin adını değiştirin.',
  'config.nobody_decides':
    '{where}: requester_decides = false iken [[policy.deciders]] yoksa kimse onay veremez. Bir tane ekleyin.',
  'config.agent_decides':
    '{where}: \'{id}\' bir ajandır ve hiçbir zaman karar vermez; scopes içinden "decide" değerini çıkarın ya da türünü değiştirin.',
  'config.one_of': '{where}: her [[policy.deciders]] ya principal ya da role içerir; birini verin.',
  'config.no_principal':
    '{where}: [[policy.deciders]] principal değeri {value}; [[principals]] içinden birini verin: {known}.',

  'expected.serve.host': 'dinlenecek bir adres, örneğin "127.0.0.1"',
  'expected.serve.port': '0 ile 65535 arasında bir tam sayı',
  'expected.serve.hosts': 'merkezin yanıt verdiği adların listesi, örneğin ["hub.local"]',
  'expected.serve.public_url': 'insanların açtığı, yolu olmayan adres, örneğin "https://tau.example.com"',
  'expected.store.kind': '"sqlite" ya da "memory"',
  'expected.principals.id': 'bir metin: hesabın adı',
  'expected.principals.kind': '"person", "service" ya da "agent"',
  'expected.principals.roles': 'metin listesi, örneğin ["auditor"]',
  'expected.principals.scopes': '"run" ve "decide" değerlerinden bir liste',
  'expected.policy.requester_decides': 'true ya da false',
  'expected.policy.deciders': 'tablolar: [[policy.deciders]]',
  'expected.policy.deciders.principal': '[[principals]] içinden birinin adı',
  'expected.policy.deciders.role': 'bir rol, örneğin "family"',
  'expected.policy.deciders.tiers': 'düzey listesi, örneğin [2]',
  'expected.policy.deciders.tools': 'araç adlarının listesi, örneğin ["unlock_door"]',
  'expected.audit.redact': 'argüman adları ya da yollarının listesi, örneğin ["password", "card.number"]',
  'expected.audit.retention_days': '0’dan büyük bir gün sayısı; her şeyi saklamak için boş bırakın',
  'expected.inbox.timeout_seconds': '0’dan büyük bir saniye sayısı; sınırsız beklemek için boş bırakın',

  'error.own_file': '{path} kullanılamıyor: {problem}. --data DIR ya da TAU_DATA ile başka bir klasör verin.',

  'hub.not_running':
    "{path} için çalışan bir merkez yok. '{tau} serve' başlatır. Depoyu kendi programınız açık tutuyorsa başlatmayın: programınızın HTTP API'sine sorun, merkezi varsa --url URL ile.",
  'hub.no_token': '{path} içinde belirteç yok; TAU_TOKEN ile verin.',
  'hub.no_token_for_url':
    'Belirteç yok: {url} adresindeki merkezin bir belirtecini TAU_TOKEN değişkenine koyun (programınızda hub.tokens.create). Hiçbir zaman bir girdi değildir.',
  'hub.unauthorized':
    '{url} adresindeki merkez belirteci tanımıyor. TAU_TOKEN başka bir merkezin mi, yoksa belirteç geçersiz mi kılındı?',
  'hub.no_answer_at': '{url} adresinde yanıt veren yok. Merkez çalışıyor mu, orada mı dinliyor?',
  'hub.no_hub_at': '{url} adresinde yanıt veren bir tau merkezi değil; ona belirteç gönderilmedi.',
  'hub.url':
    '--url bir merkezin yolu olmayan adresini ister, örneğin http://127.0.0.1:8000 ya da https://tau.example.com.',
  'hub.url_user_info':
    '--url içinde bir kullanıcı adı ya da parola var, burada yinelenmez; belirteç TAU_TOKEN içine konur.',
  'hub.url_plain':
    '--url {host} adresine şifresiz HTTP: yoldaki herkes belirteci okuyabilir. https ya da 127.0.0.1 gibi bu makinenin bir adresini kullanın.',
  'hub.url_or_data': '--url ya da --data verin: bir adresteki merkez ya da bir klasörünki.',
  'hub.no_answer': "{url} adresindeki merkez yanıt vermiyor. '{tau} serve' hâlâ çalışıyor mu?",
  'hub.strange_answer': '{url} adresinde yanıt veren, bu sürümün merkezi değil (durum {status}).',
  'hub.elsewhere': 'Veri klasörü {url} adresini gösteriyor; bu, ne bu makinenin ne de yapılandırmanın bir adresi.',
  'hub.foreign':
    "{url} adresinde yanıt veren, bu klasörün merkezi değil; ona hiçbir şey gönderilmedi. '{tau} serve' birini başlatır.",
  'hub.store_in_memory':
    '[store] kind = "memory" ile hesaplar çalışan merkezin içindedir ve buradan değiştirilemez; "sqlite" kullanın.',
  'hub.store_locked': 'Merkezin deposunu başka bir süreç kullanıyor; hiçbir şey değişmedi. Az sonra yeniden deneyin.',
  'hub.store_full': 'Merkezin deposu için yer kalmadı; hiçbir şey değişmedi. Diskte yer açıp yeniden deneyin.',
  'hub.store_readonly':
    'Merkezin deposuna yazılamıyor. Merkezi çalıştıran kullanıcıya veri klasörü için yazma izni verin.',
  'hub.store_corrupt':
    'Merkezin deposu bozuk. Merkezi durdurup yerine bir yedek koyun; neyin bozuk olduğunu günlüğü söyler.',
  'hub.store_replaced':
    'Merkez çalışırken deposu silindi ya da değiştirildi; artık hiçbir şey yazmıyor. Merkezi yeniden başlatın.',
  'hub.store_closed': 'Merkezin deposu kapalı; merkez duruyor. Onu yeniden başlatın.',
  'hub.store_failed': 'Merkezin deposu yanıt veremedi; hiçbir şey değişmedi. Nedenini merkezin günlüğü söyler.',

  'serve.ready': 'tau {version} çalışıyor. {principal} olarak bir kez açın:',
  'serve.link_hint': "Bağlantı on dakika içinde bir kez çalışır; '{tau} login-link' yenisini yapar. Ctrl-C bitirir.",
  'serve.stopping': 'Durduruluyor; çalışan araçlar bitebilir. Yeniden Ctrl-C hemen bitirir.',
  'serve.port': "--port değeri '{value}'; 0 ile 65535 arasında bir tam sayı verin.",
  'serve.port_in_use':
    '{host} üzerindeki {port} bağlantı noktası kullanımda. --port ile başkasını ya da boş biri için 0 verin.',
  'serve.running':
    'Bu klasör için bir merkez zaten çalışıyor: {url} (süreç {pid}). Onu bitirin ya da --data ile başka bir klasör verin.',
  'serve.locked':
    '{path} klasörünü başlayan ya da duran bir merkez kullanıyor. Bekleyin ya da --data ile başka bir klasör verin.',
  'serve.open':
    'UYARI: merkez {host} üzerinde dinliyor: ağdaki herkes şifresiz erişebilir. Önüne HTTPS’li bir ters vekil koyun ya da 127.0.0.1 kullanın.',
  'serve.token_weak': 'TAU_TOKEN gizli sayılmaz; boşluksuz, en az {length} rastgele harf verin.',

  'approvals.none': 'Yok.',
  'approvals.id': 'No',
  'approvals.status': 'Durum',
  'approvals.requester': 'İsteyen',
  'approvals.digest': 'Özet',
  'approvals.asked_at': 'Soruldu',
  'approvals.expires_at': 'Süresi biter',
  'approvals.decision': 'Karar',
  'approvals.decided_by': '{decision}: {by} ({channel}), {at}',
  'approvals.reason': 'Gerekçe',
  'approvals.outcome': 'Sonuç',
  'approvals.closed': 'Kapanma nedeni',
  'approvals.edit_of': 'Düzenlenen',
  'approvals.approved': 'Onaylandı.',
  'approvals.rejected': 'Reddedildi.',
  'approvals.asked_again':
    'Henüz onaylanmadı: düzenleme yazılandan fazlasını değiştirdi. Aşağıdaki soruya bakıp yanıtlayın.',
  'approvals.too_late': 'Yanıtınız sayılmadı. Daha önce karar verildi: {decision}, {by} ({channel}), {at}.',
  'approvals.too_late_closed': 'Yanıtınız sayılmadı. Soru kapandı: {status} ({because}).',
  'approvals.needs_digest':
    'Burada kimseye sorulamaz. Önce soruya bakın ({tau} approvals show ID), sonra özetini verin: --digest HEX.',
  'approvals.other_digest': 'Açık soru, gösterilen soru değil. Yeniden bakın: {tau} approvals show ID.',
  'approvals.digest_format':
    "--digest '{value}' olamaz; '{tau} approvals show ID' komutunun Özet karşısında yazdığı 64 onaltılık basamağın tümünü verin.",
  'approvals.not_found':
    "'{id}' numaralı, bu belirtecin görebileceği bir soru yok. '{tau} approvals list' nasıl yazıyorsa tümünü verin.",
  'approvals.edit_invalid': 'Düzenleme {tool} aracına uymuyor: {problem}. Karar verilmedi; --edit değerini düzeltin.',
  'approvals.before_edit':
    'Soru şu anda böyle. Onun yerine onaylayacağınız, altında. Ne yaptığı argümanlara bağlıysa yeniden sorulur:',
  'approvals.effect_before_edit': 'Düzenlemeden önce söylenen: {effect}',
  'approvals.edit_json': 'Düzenlenen argümanlar JSON değil: {problem}. Tek tırnak içine alın.',

  'token.created': '{principal} için {id} belirteci ({scopes}). Yalnızca şimdi gösterilir:',
  'token.none': 'Belirteç yok.',
  'token.revoked': '{id} belirteci artık geçersiz.',
  'token.unknown': '{id} adlı bir belirteç yok.',
  'token.scopes': "--scopes içinde '{value}' var; bu kişinin yapabilecekleri: {known}.",
  'token.no_principal': "'{id}' adlı biri yok. Olanlar: {known}.",
};
