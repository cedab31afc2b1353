/* stateless.c - functions of the system's libraries that can be called as they
 * are.
 *
 * Each of them depends on its arguments, the memory that they point to, the
 * environment, or the thread's own errno, and on nothing that an earlier call
 * left behind.  Left out on purpose: what has a buffer or a position of its own
 * (strtok, localtime, rand), talks to the system (files, signals, memory
 * mappings, locales), or registers something (atexit).
 *
 * Of libstdc++ the rules are by prefix, which ends with a *.  Functions in it
 * that lock, wait, allocate or print call libc's through the same names as the
 * target would, so they meet the host's. */
#include "imports.h"

#include <stdlib.h>
#include <string.h>

/* Names with a space on both sides of each. */
static const char *const memory_and_text =
    " bcmp bcopy bzero explicit_bzero ffs ffsl ffsll index memccpy memchr "
    "memcmp memcpy memfrob memmem memmove mempcpy memrchr memset rawmemchr "
    "rindex stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul "
    "strcmp strcoll strcpy strcspn strdup strerror strerror_r "
    "strerrorname_np strlcat strlcpy strlen strncasecmp strncat "
    "strncmp strncpy strndup strnlen strpbrk strrchr strsep strspn strstr "
    "strtok_r strverscmp strxfrm swab basename __xpg_strerror_r "
    "__xpg_basename __strtok_r __strdup __strndup __rawmemchr __stpcpy "
    "__mempcpy "
    "__explicit_bzero_chk __memcpy_chk __memmove_chk __mempcpy_chk "
    "__memset_chk __stpcpy_chk __stpncpy_chk __strcat_chk __strcpy_chk "
    "__strncat_chk __strncpy_chk __strlcpy_chk __strlcat_chk ";

static const char *const wide_text =
    " wcscat wcschr wcscmp wcscpy wcscspn wcslen wcsncat wcsncmp wcsncpy "
    "wcsnlen wcspbrk wcsrchr wcsspn wcsstr wcstok wcstol wcstoll wcstoul "
    "wcstoull wcstod wcstof wcstold wmemchr wmemcmp wmemcpy wmemmove wmempcpy "
    "wmemset wcscasecmp wcsncasecmp wcsdup wcpcpy wcpncpy btowc wctob "
    "mbrtowc wcrtomb mbsinit mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs "
    "mbstowcs wcstombs wcwidth wcswidth swprintf vswprintf swscanf ";

static const char *const characters =
    " isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint "
    "ispunct isspace isupper isxdigit toascii tolower toupper iswalnum "
    "iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint "
    "iswpunct iswspace iswupper iswxdigit towlower towupper wctype wctrans "
    "towctrans __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
    "__ctype_get_mb_cur_max ";

static const char *const numbers =
    " abs labs llabs imaxabs div ldiv lldiv imaxdiv atoi atol atoll atof "
    "strtol strtoll strtoul strtoull strtoimax strtoumax strtod strtof "
    "strtold strtof32 strtof64 strtof128 strfromd strfromf strfroml "
    "__strtol_internal __strtoul_internal __isoc23_strtol __isoc23_strtoll "
    "__isoc23_strtoul __isoc23_strtoull __isoc23_strtoimax "
    "__isoc23_strtoumax a64l bsearch qsort qsort_r lfind tsearch tfind "
    "tdelete twalk htonl htons ntohl ntohs insque remque ";

static const char *const formats =
    " snprintf vsnprintf sprintf vsprintf asprintf vasprintf sscanf vsscanf "
    "__isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf "
    "__snprintf_chk __vsnprintf_chk __sprintf_chk __vsprintf_chk "
    "__asprintf_chk __vasprintf_chk ";

/* nextafter and the like; f and l are added to each of these. */
static const char *const mathematics =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem "
    "erf erfc exp exp10 exp2 expm1 fabs fdim finite floor fma fmax fmin fmod "
    "frexp hypot ilogb isinf isnan j0 j1 jn ldexp lgamma lgamma_r llrint "
    "llround log log10 log1p log2 logb lrint lround modf nan nearbyint "
    "nextafter nexttoward pow pow10 remainder remquo rint round roundeven "
    "scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma "
    "trunc y0 y1 yn cabs cacos cacosh carg casin casinh catan catanh ccos "
    "ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh csqrt ctan "
    "ctanh __finite __isinf __isnan __fpclassify __signbit __issignaling "
    "__iseqsig fegetround fetestexcept feclearexcept fegetexceptflag ";

/* Of the machine, which do not change while it runs; and of the thread. */
static const char *const surroundings =
    " pthread_self pthread_equal thrd_current thrd_equal pthread_testcancel "
    "pthread_setname_np __errno_location getenv secure_getenv sysconf "
    "getpagesize get_nprocs get_nprocs_conf getauxval __getauxval "
    "gnu_get_libc_version environ __environ "
    "program_invocation_name program_invocation_short_name __progname "
    "stdin stdout stderr fileno isatty sched_get_priority_max "
    "sched_get_priority_min gmtime_r asctime_r timegm difftime "
    "inet_pton inet_ntop inet_addr "
    "setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp "
    "__longjmp_chk sigemptyset sigfillset sigaddset sigdelset sigismember "
    "__libc_single_threaded __sched_cpucount __sched_cpualloc "
    "__sched_cpufree ";

/* What compilers and the linker put in. */
static const char *const compiled_in =
    " __cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable "
    "_ITM_registerTMCloneTable _ITM_RU1 _ITM_memcpyRtWn _ITM_memcpyRnWt "
    "_ITM_addUserCommitAction _ITM_RU8 __tls_get_addr __dso_handle "
    "_GLOBAL_OFFSET_TABLE_ __stack_chk_fail __stack_chk_guard __chk_fail "
    "__popcountdi2 __popcountsi2 __clzdi2 __ctzdi2 __ffsdi2 __paritydi2 "
    "__bswapdi2 __bswapsi2 __multi3 __divti3 __modti3 __udivti3 __umodti3 "
    "__divmodti4 __udivmodti4 __ashlti3 __ashrti3 __lshrti3 __negti2 "
    "__cmpti2 __ucmpti2 __mulvsi3 __mulvdi3 __addvsi3 __addvdi3 __subvsi3 "
    "__subvdi3 __muloti4 __powidf2 __powisf2 __powixf2 __muldc3 __mulsc3 "
    "__mulxc3 __divdc3 __divsc3 __divxc3 __addtf3 __subtf3 __multf3 __divtf3 "
    "__eqtf2 __netf2 __lttf2 __letf2 __gttf2 __getf2 __unordtf2 __fixtfsi "
    "__fixtfdi __fixunstfdi __floatsitf __floatditf __floatunditf "
    "__extenddftf2 __trunctfdf2 __extendsftf2 __trunctfsf2 __extendxftf2 "
    "__trunctfxf2 __floattidf __floattisf __floattixf __floatuntidf "
    "__floatuntisf __floatuntixf __fixdfti __fixsfti __fixxfti __fixunsdfti "
    "__fixunssfti __fixunsxfti __cpu_model __cpu_indicator_init "
    "__tsan_init ";

/* Exceptions, and what the C++ run-time does for a class.  Not: guards of local
 * statics, which wait, and what is registered for the end (__cxa_atexit): those
 * must be the host's.  So must __cxa_thread_atexit_impl, behind the one here. */
static const char *const exceptions =
    " __cxa_allocate_exception __cxa_free_exception __cxa_throw "
    "__cxa_begin_catch __cxa_end_catch __cxa_rethrow __cxa_get_exception_ptr "
    "__cxa_pure_virtual __cxa_deleted_virtual __cxa_bad_cast __cxa_bad_typeid "
    "__cxa_throw_bad_array_new_length __cxa_throw_bad_array_length "
    "__cxa_call_unexpected __cxa_call_terminate __cxa_current_exception_type "
    "__cxa_init_primary_exception __cxa_uncaught_exception "
    "__cxa_uncaught_exceptions __cxa_demangle __cxa_get_globals "
    "__cxa_get_globals_fast __cxa_vec_new __cxa_vec_new2 __cxa_vec_new3 "
    "__cxa_vec_ctor __cxa_vec_cctor __cxa_vec_dtor __cxa_vec_delete "
    "__cxa_vec_delete2 __cxa_vec_delete3 __cxa_vec_cleanup "
    "__cxa_allocate_dependent_exception __cxa_free_dependent_exception "
    "__dynamic_cast __gxx_personality_v0 __gcc_personality_v0 "
    "_Unwind_Resume _Unwind_Resume_or_Rethrow _Unwind_RaiseException "
    "_Unwind_DeleteException _Unwind_ForcedUnwind _Unwind_GetIP "
    "_Unwind_GetIPInfo _Unwind_SetIP _Unwind_GetGR _Unwind_SetGR "
    "_Unwind_GetCFA _Unwind_GetRegionStart _Unwind_GetLanguageSpecificData "
    "_Unwind_Backtrace _Unwind_FindEnclosingFunction __once_proxy "
    "__cxa_thread_atexit ";

static bool has_word(const char *words, const char *name, size_t length)
{
    for (const char *at = words; (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

/* sinf, sinl, __sin_finite, ... */
static bool is_mathematics(const char *name)
{
    char base[40];
    size_t length = strlen(name);
    if (length + 1 > sizeof base)
        return false;
    memcpy(base, name, length + 1);
    if (length > 9 && strcmp(base + length - 7, "_finite") == 0 &&
        strncmp(base, "__", 2) == 0) {
        base[length - 7] = 0;
        memmove(base, base + 2, length - 8);
        length = strlen(base);
    }
    if (has_word(mathematics, base, length))
        return true;
    if (length < 2 || (base[length - 1] != 'f' && base[length - 1] != 'l'))
        return false;
    base[length - 1] = 0;
    return has_word(mathematics, base, length - 1);
}

/* ---- C++ ---- */

/* Files; a lock inside libstdc++; what asks the machine. */
static const char cpp_refused[] =
    "*filebuf* *fstream* *_Sp_locker* *random_device* *__gthread* ";

static const char cpp_streams[] = "_ZSt3cin _ZSt4cout _ZSt4cerr _ZSt4clog "
                                  "_ZSt4wcin _ZSt5wcout _ZSt5wcerr _ZSt5wclog ";

/* Tables of classes, operators new and delete, what the language itself calls;
 * std::map, set, list and unordered_map; std::allocator, called at -O0. */
static const char cpp_basics[] =
    "_ZT[VIST]* _Zn[wa]* _Zd[la]* _ZSt7nothrow _ZSt9terminatev "
    "_ZSt10unexpectedv _ZSt15get_new_handlerv _ZSt18uncaught_exceptionv "
    "_ZSt19uncaught_exceptionsv _ZSt17current_exceptionv "
    "_ZSt17rethrow_exception* _ZSt15__once_callable _ZSt11__once_call "
    "_ZSt*__throw_* _ZSt11_Hash_bytes* _ZSt15_Fnv_hash_bytes* "
    "_ZSt*_Rb_tree_* _ZN*St8__detail15_List_node_base* "
    "_ZN*St8__detail20_Prime_rehash_policy* _ZSt*__glibcxx_assert_fail* "
    "_ZSt21__glibcxx_assert_fail* _ZNSaI[cw]E* ";

/* std::string and streams that are strings. */
static const char cpp_texts[] =
    "_ZN*St7__cxx11*basic_string* _ZN*St7__cxx11*basic_*stringstream* "
    "_ZN*St7__cxx11*basic_*stringbuf* _ZStplI* _ZSteqI* _ZStlsI* _ZStrsI* "
    "_ZSt*getline* _ZSt4endl* _ZSt5flush* _ZSt4ends* _ZSt16__ostream_insert* "
    "_ZNSo* _ZNSi* _ZNKSo* _ZNKSi* _ZNSd* _ZN*St8ios_base* _ZN*St9basic_ios* "
    "_ZN*St15basic_streambuf* _ZN*St6locale* _ZSt9use_facet* _ZSt9has_facet* "
    "_ZN*St5ctype* _ZNSt14numeric_limits* _ZNSt*__numeric_limits_base* "
    "_ZSt8to_chars* _ZSt10from_chars* _ZNSt14basic_iostream* "
    "_ZNSt13basic_*stream* ";

static const char cpp_exceptions[] =
    "_ZN*St9exception* _ZN*St9bad_alloc* _ZN*St13runtime_error* "
    "_ZN*St11logic_error* _ZN*St12out_of_range* _ZN*St12length_error* "
    "_ZN*St16invalid_argument* _ZN*St14overflow_error* "
    "_ZN*St15underflow_error* _ZN*St11range_error* _ZN*St12domain_error* "
    "_ZN*St12system_error* _ZN*St17bad_function_call* _ZN*St8bad_cast* "
    "_ZN*St10bad_typeid* _ZN*St20bad_array_new_length* "
    "_ZN*St13bad_exception* _ZN*St12bad_weak_ptr* _ZN*St12future_error* "
    "_ZN*St8bad_any_cast* _ZN*St18bad_variant_access* _ZN*St9type_info* "
    "_ZN*St15__exception_ptr13exception_ptr* _ZN*St10error_code* "
    "_ZN*St14error_category* _ZN*St3_V2*error_category* "
    "_ZNSt3_V215system_categoryEv _ZNSt3_V216generic_categoryEv "
    "_ZSt15future_categoryv _ZN*St15error_condition* ";

/* These call pthread_... and clock_gettime. */
static const char cpp_threads[] =
    "_ZNSt6thread* _ZNSt11this_thread* _ZN*St18condition_variable* "
    "_ZNSt25notify_all_at_thread_exit* _ZNSt13__future_base* "
    "_ZNSt28__atomic_futex_unsigned_base* _ZNSt6chrono3_V212s*_clock3nowEv ";

/* `pattern`, up to a blank, may have a * for any text and one set [..] of
 * characters. */
static bool matches(const char *pattern, const char *name)
{
    for (; *pattern && *pattern != ' '; pattern++, name++) {
        if (*pattern == '*') {
            do
                if (matches(pattern + 1, name))
                    return true;
            while (*name++);
            return false;
        }
        if (*pattern == '[') {
            const char *const end = strchr(pattern, ']');
            if (!*name ||
                !memchr(pattern + 1, *name, (size_t)(end - pattern - 1)))
                return false;
            pattern = end;
        } else if (*pattern != *name)
            return false;
    }
    return *name == 0;
}

/* Any of the patterns, behind each of which there is a blank? */
static bool any_matches(const char *patterns, const char *name)
{
    for (; *patterns; patterns += strcspn(patterns, " ") + 1)
        if (matches(patterns, name))
            return true;
    return false;
}

static bool is_stateless_cpp(const char *name)
{
    return (any_matches(cpp_basics, name) || any_matches(cpp_texts, name) ||
            any_matches(cpp_exceptions, name) ||
            any_matches(cpp_threads, name)) &&
           !any_matches(cpp_refused, name) && !any_matches(cpp_streams, name);
}

bool target_is_stateless(const char *name)
{
    const char *const words[] = { memory_and_text, wide_text, characters,
                                  numbers,         formats,   surroundings,
                                  compiled_in,     exceptions };
    const size_t length = strlen(name);
    if (length == 0 || strchr(name, ' '))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(words[i], name, length))
            return true;
    return is_mathematics(name) ||
           matches("pthread_*attr_[gsid]*",
                   name) || /* in the caller's memory */
           (strncmp(name, "_Z", 2) == 0 && is_stateless_cpp(name));
}

const char *target_why_not_stateless(const char *name)
{
    if (any_matches(cpp_streams, name))
        return "this stream buffers its output; print with printf()";
    if (matches("_Z*fstream*", name) || matches("_Z*filebuf*", name))
        return "files are not modelled";
    if (strncmp(name, "__atomic_", 9) == 0)
        return "the atomic access is too wide for the hooks, and libatomic "
               "uses a lock; try -mcx16";
    if (strcmp(name, "__overflow") == 0 || strcmp(name, "__uflow") == 0)
        return "putchar_unlocked() and similar functions write into libc's "
               "memory; leave out _unlocked";
    if (strncmp(name, "__sync_", 7) == 0)
        return "the compiler left the atomic access to a library";
    return NULL;
}
