//! The reader on what nvcc printed, on forms written by hand, and on text that is cut off.

use razorgirl_ptx::read::{Operand, read};

const SM80: &str = include_str!("fixtures/kernels_sm80.ptx");
const SM90A: &str = include_str!("fixtures/kernels_sm90a.ptx");

#[test]
fn fixtures_are_read_whole() {
    for (text, target) in [(SM80, "sm_80"), (SM90A, "sm_90a")] {
        let module = read(text).unwrap();
        assert_eq!(module.target, target);
        assert_eq!(module.files[&1], "kernels.cu");
        assert_eq!(module.kernels.len(), text.matches(".entry").count());
        assert_eq!(module.kernels.len(), 14);
        // names of inlined functions, decoded from bytes
        assert!(module.strings.values().any(|x| x.starts_with("_Z8matricesILi64EE")));
        // every shared access in the text is an instruction, at its line
        let accesses = module.kernels.iter().flat_map(|k| &k.code).filter(|x| x.has("shared")).count();
        let printed = text
            .lines()
            .filter(|x| x.contains(".shared") && !x.contains(".shared .align") && !x.trim_start().starts_with("//"))
            .count();
        assert_eq!(accesses, printed);
        for x in module.kernels.iter().flat_map(|k| &k.code) {
            let line = text.lines().nth(x.at.line as usize - 1).unwrap();
            assert!(line.contains(&x.op), "{line}: {}", x.op);
            assert!(!x.operands.contains(&Operand::Unknown), "{line}");
        }
    }
}

#[test]
fn registers_of_inner_scopes_are_their_own() {
    let text = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k() .reqntid 32, 2 {\n.reg .b32 %r<3>;\nmov.b32 %r1, 1;\n\
                { .reg .b32 x; L: mov.b32 x, %r1; bra L; }\n{ .reg .b32 x; L: mov.b32 x, -3; @!p bra L; }\n}";
    let error = read(text).unwrap_err();
    assert_eq!((error.at.line, error.message.contains("«p»")), (8, true));
    let module = read(&text.replace("@!p ", "")).unwrap();
    let kernel = &module.kernels[0];
    assert_eq!(kernel.required, Some([32, 2, 1]));
    let first = &kernel.code[1].operands[0];
    let second = &kernel.code[3].operands[0];
    assert_ne!(first, second);
    assert_eq!((kernel.code[2].targets[0], kernel.code[4].targets[0]), (1, 3));
    assert_eq!(kernel.code[3].operands[1], Operand::Integer(3u64.wrapping_neg()));
}

#[test]
fn text_that_is_cut_off_is_an_error_and_no_panic() {
    let end = SM80.find(".section").unwrap();
    for at in (0..end).step_by(97).filter(|x| SM80.is_char_boundary(*x)) {
        let _ = read(&SM80[..at]);
    }
    let inside = SM80.find("ld.global").unwrap();
    assert!(read(&SM80[..inside]).is_err());
    assert!(read(&format!(".entry k() {{ mov.b32 {}", "{".repeat(100_000))).is_err());
}
